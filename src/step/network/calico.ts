import type { Assets } from '../../resource/assets.ts';
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
  type Container,
  type Patch,
} from '../kubernetes-object/patch.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { cidrsByFamily } from './cidrs-by-family.ts';

type Calico = Extract<NetworkPlugin, { readonly type: 'calico' }>;

/** Pods of all nodes reach each other by calico. */
export const applyCalico = (cluster: Cluster, plugin: Calico, assets: Assets): Step =>
  defineStep({
    name: 'calico.apply',
    summary: 'Let pods reach each other by calico',
    timeoutMs: TEN_MINUTES,
    parts: (view) => [
      applied({
        id: 'calico',
        objects: catalogManifest(assets, 'calico-manifest', view, calicoPatch(cluster, plugin)),
      }),
    ],
  });

const TEN_MINUTES = 600_000;

/** The makers' objects with the networks and settings of the cluster. */
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
    ...(plugin.typha ? [patchObject('Deployment kube-system/calico-typha', replicated(hosts.length))] : []),
  ];
  return (objects) => patches.reduce((list, patch) => patch(list), objects);
}

/** Routes are told from node to node unless every packet travels by VXLAN. */
const backendOf = ({ ipipMode, vxlanMode }: Calico) =>
  ipipMode === 'Never' && vxlanMode !== 'Never' ? 'vxlan' : 'bird';

function settings(cidrs: readonly string[], plugin: Calico): Readonly<Record<string, string>> {
  const { ipv4, ipv6 } = cidrsByFamily(cidrs);
  const { ipipMode = 'Always', vxlanMode, blockSize, ipv4NatOutgoing } = plugin;
  return {
    IP: ipv4 === undefined ? 'none' : 'autodetect',
    // Of several addresses of a host the one that the kubelet tells.
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
      // There is no IPIP for this family.
      CALICO_IPV6POOL_VXLAN: vxlanMode,
      CALICO_IPV6POOL_NAT_OUTGOING: 'true',
      FELIX_IPV6SUPPORT: 'true',
    }),
    // Routers are told apart by an IPv4 address, where they have one.
    ...(ipv4 === undefined && { CALICO_ROUTER_ID: 'hash' }),
  };
}

/** Where no BIRD runs, none is asked whether it is well. */
function withoutBird(container: Container, plugin: Calico): Container {
  if (backendOf(plugin) !== 'vxlan') return container;
  const probes = ['livenessProbe', 'readinessProbe'].flatMap((name) => {
    const probe = recordOf(container[name]);
    const { command } = recordOf(probe['exec']);
    if (!Array.isArray(command)) return [];
    const asked = command.filter((word) => !String(word).startsWith('-bird'));
    return [[name, { ...probe, exec: { command: asked } }] as const];
  });
  return { ...container, ...Object.fromEntries(probes) };
}

/** Pods get an address of each family. */
function withFamilies(object: Manifest, cidrs: readonly string[]): string {
  const { ipv4, ipv6 } = cidrsByFamily(cidrs);
  const text = String(recordOf(object['data'])['cni_network_config']);
  const config: unknown = parsePlaceholders(text);
  const { plugins } = recordOf(config);
  if (!Array.isArray(plugins)) throw fail('MANIFEST_INVALID', { from: 'calico', reason: 'its plugins are no list' });
  const ipam = { assign_ipv4: String(ipv4 !== undefined), assign_ipv6: String(ipv6 !== undefined) };
  const changed = plugins.map((plugin: unknown) => {
    const fields = recordOf(plugin);
    return fields['type'] === 'calico' ? { ...fields, ipam: { ...recordOf(fields['ipam']), ...ipam } } : fields;
  });
  return printPlaceholders({ ...recordOf(config), plugins: changed });
}

/** calico fills words such as __CNI_MTU__ in later, where JSON wants a number. */
function parsePlaceholders(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/(:\s*)(__[A-Z0-9_]+__)/g, '$1"bare:$2"'));
  } catch {
    throw fail('MANIFEST_INVALID', { from: 'calico', reason: 'its cni_network_config is no JSON' });
  }
}

const printPlaceholders = (config: object) =>
  JSON.stringify(config, null, 2).replaceAll(/"bare:(__[A-Z0-9_]+__)"/g, '$1');

/** At least three where there is room, one for 200 nodes, always fewer than nodes: makers' advice. */
const replicated = (nodes: number) => (object: Manifest) => ({
  ...object,
  spec: {
    ...recordOf(object['spec']),
    replicas: Math.max(1, Math.min(20, nodes - 1, Math.max(3, Math.ceil(nodes / 200)))),
  },
});
