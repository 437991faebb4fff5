import type { Assets } from '../../resource/assets.ts';
import { isNode } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { NetworkPlugin } from '../../config/model/network-plugins.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import type { Manifest } from '../kubernetes-object/manifest.ts';
import {
  mapContainers,
  patchObject,
  recordOf,
  withData,
  withEnv,
  withPodAnnotations,
  type Container,
  type Patch,
} from '../kubernetes-object/patch.ts';
import { updatedPools } from './calico-pools.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { cidrsByFamily } from '../../config/model/addresses.ts';

type Calico = Extract<NetworkPlugin, { readonly type: 'calico' }>;

/** Installs Calico. */
export const applyCalico = (cluster: Cluster, plugin: Calico, assets: Assets): Step =>
  defineStep({
    name: 'calico.apply',
    summary: 'Install Calico',
    timeoutMs: TEN_MINUTES,
    parts: (view) => [
      applied({
        id: 'calico',
        objects: catalogManifest(assets, 'calico-manifest', view, calicoPatch(cluster, plugin)),
      }),
      updatedPools(cluster, plugin),
    ],
  });

const TEN_MINUTES = 600_000;

/** Adapts the upstream manifests to the networks and settings of the cluster. */
export function calicoPatch({ network, hosts }: Cluster, plugin: Calico): Patch {
  const { ipv6 } = cidrsByFamily(network.podCidrs);
  const patches: readonly Patch[] = [
    patchObject('ConfigMap kube-system/calico-config', (object) =>
      withData(object, {
        veth_mtu: String(plugin.vethMTU),
        calico_backend: backendOf(plugin),
        ...(ipv6 !== undefined && { cni_network_config: withFamilies(object, network.podCidrs) }),
      }),
    ),
    patchObject('DaemonSet kube-system/calico-node', (object) =>
      mapContainers(object, (container) =>
        container.name === 'calico-node'
          ? withEnv(withoutBird(container, plugin), settings(network.podCidrs, plugin))
          : container,
      ),
    ),
    ...(plugin.vethMTU === 0 ? [] : [patchObject('DaemonSet kube-system/calico-node', restartedFor(plugin))]),
    ...(plugin.typha
      ? [patchObject('Deployment kube-system/calico-typha', replicated(hosts.filter(isNode).length))]
      : []),
  ];
  return (objects) => patches.reduce((list, patch) => patch(list), objects);
}

/** calico-node reads the MTU only when it starts: a changed annotation restarts it. */
const restartedFor =
  ({ vethMTU }: Calico) =>
  (object: Manifest) =>
    withPodAnnotations(object, { [VETH_MTU]: String(vethMTU) });

const VETH_MTU = 'kubexm.mensylisir.io/veth-mtu';

/** BIRD distributes routes, unless all traffic uses VXLAN. */
const backendOf = ({ ipipMode, vxlanMode }: Calico) =>
  ipipMode === 'Never' && vxlanMode !== 'Never' ? 'vxlan' : 'bird';

function settings(cidrs: readonly string[], plugin: Calico): Readonly<Record<string, string>> {
  const { ipv4, ipv6 } = cidrsByFamily(cidrs);
  const { ipipMode, vxlanMode, blockSize, ipv4NatOutgoing } = plugin;
  return {
    IP: ipv4 === undefined ? 'none' : 'autodetect',
    // Uses the node address that the kubelet reports, for hosts with several addresses.
    IP_AUTODETECTION_METHOD: 'kubernetes-internal-ip',
    ...(ipv4 !== undefined && {
      CALICO_IPV4POOL_CIDR: ipv4,
      CALICO_IPV4POOL_BLOCK_SIZE: String(blockSize),
      CALICO_IPV4POOL_IPIP: ipipMode,
      CALICO_IPV4POOL_VXLAN: vxlanMode,
      CALICO_IPV4POOL_NAT_OUTGOING: String(ipv4NatOutgoing),
    }),
    ...(ipv6 !== undefined && {
      IP6: 'autodetect',
      IP6_AUTODETECTION_METHOD: 'kubernetes-internal-ip',
      CALICO_IPV6POOL_CIDR: ipv6,
      // IPIP does not support IPv6.
      CALICO_IPV6POOL_VXLAN: vxlanMode,
      CALICO_IPV6POOL_NAT_OUTGOING: 'true',
      FELIX_IPV6SUPPORT: 'true',
    }),
    // The BGP router ID is an IPv4 address; without IPv4 it is derived from a hash.
    ...(ipv4 === undefined && { CALICO_ROUTER_ID: 'hash' }),
  };
}

/** Removes the BIRD probes in VXLAN mode, where BIRD does not run. */
function withoutBird(container: Container, plugin: Calico): Container {
  if (backendOf(plugin) !== 'vxlan') return container;
  const probes = ['livenessProbe', 'readinessProbe'].flatMap((name) => {
    const probe = recordOf(container[name]);
    const { command } = recordOf(probe['exec']);
    if (!Array.isArray(command)) return [];
    const kept = command.filter((word) => !String(word).startsWith('-bird'));
    return [[name, { ...probe, exec: { command: kept } }] as const];
  });
  return { ...container, ...Object.fromEntries(probes) };
}

/** The CNI configuration that assigns Pods an address of each address family. */
function withFamilies(object: Manifest, cidrs: readonly string[]): string {
  const { ipv4, ipv6 } = cidrsByFamily(cidrs);
  const text = String(recordOf(object['data'])['cni_network_config']);
  const config: unknown = parsePlaceholders(text);
  const { plugins } = recordOf(config);
  if (!Array.isArray(plugins)) throw fail('MANIFEST_INVALID', { from: 'calico', reason: 'plugins is not a list' });
  const ipam = { assign_ipv4: String(ipv4 !== undefined), assign_ipv6: String(ipv6 !== undefined) };
  const changed = plugins.map((plugin: unknown) => {
    const fields = recordOf(plugin);
    return fields['type'] === 'calico' ? { ...fields, ipam: { ...recordOf(fields['ipam']), ...ipam } } : fields;
  });
  return printPlaceholders({ ...recordOf(config), plugins: changed });
}

/** Placeholders such as __CNI_MTU__ stand for numbers, so the text is not valid JSON. */
function parsePlaceholders(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/(:\s*)(__[A-Z0-9_]+__)/g, '$1"bare:$2"'));
  } catch {
    throw fail('MANIFEST_INVALID', { from: 'calico', reason: 'cni_network_config is not valid JSON' });
  }
}

const printPlaceholders = (config: object) =>
  JSON.stringify(config, null, 2).replaceAll(/"bare:(__[A-Z0-9_]+__)"/g, '$1');

/** Upstream recommendation: one replica per 200 nodes, at least three, at most 20, and fewer than the number of nodes. */
const replicated = (nodes: number) => (object: Manifest) => ({
  ...object,
  spec: {
    ...recordOf(object['spec']),
    replicas: Math.max(1, Math.min(20, nodes - 1, Math.max(3, Math.ceil(nodes / 200)))),
  },
});
