import { isIPv4 } from 'node:net';
import type { Assets } from '../../resource/assets.ts';
import type { Cluster, InternalLoadBalancer } from '../../config/model/cluster.ts';
import { minorOf } from '../../config/model/version.ts';
import { sh } from '../../runner/command.ts';
import { kubeVipPod, type KubeVipBgpOptions } from '../../template/load-balancer/kube-vip.ts';
import { MANIFESTS } from '../../template/load-balancer/static-pod.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { absentAddress } from '../common/absent-address.ts';
import { file } from '../common/file.ts';
import type { StepContext, StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { when } from '../common/when.ts';
import { interfaceFor } from './vip-interface.ts';

type KubeVip = Extract<InternalLoadBalancer, { readonly type: 'kube-vip' }>;

export interface KubeVipSettings {
  readonly cluster: Cluster;
  readonly vip: KubeVip;
  readonly assets: Assets;
}

/** Starts kube-vip on the first master before the API exists, with a kubeconfig that needs no RBAC bindings. */
export const startKubeVip = (settings: KubeVipSettings): Step =>
  defineStep({
    name: 'kube-vip.begin',
    summary: 'Run kube-vip on the first master',
    reversible: true,
    parts: (view) => [when(NOT_INITIALIZED, manifest(settings, view, firstKubeconfig(settings.cluster)))],
  });

/** Runs kube-vip on a master of an initialized cluster, with the admin kubeconfig. */
export const runKubeVip = (settings: KubeVipSettings): Step =>
  defineStep({
    name: 'kube-vip.run',
    summary: 'Run kube-vip on the master',
    reversible: true,
    parts: (view) => [manifest(settings, view, ADMIN)],
  });

/** Removes the virtual IP from a master that no longer runs kube-vip; an interrupted reset leaves it behind. */
export const releaseVip = (address: string): Step =>
  defineStep({
    name: 'kube-vip.release',
    summary: `Remove the virtual IP ${address}`,
    parts: () => [absentAddress(address)],
  });

/** Resetting a node removes its manifests. Restoring an earlier one would bring back a directory that is gone. */
export const isManifestPresent = ({ runner }: StepContext): Promise<boolean> => runner.test(sh`[ -e ${MANIFEST} ]`);

const MANIFEST = `${MANIFESTS}/kube-vip.yaml`;
const ADMIN = '/etc/kubernetes/admin.conf';
const NOT_INITIALIZED = sh`[ ! -e ${ADMIN} ]`;

// Since 1.29 admin.conf needs an RBAC binding, which kubeadm creates through the virtual IP.
const firstKubeconfig = ({ kubernetes: { version } }: Cluster) =>
  minorOf(version) >= 29 ? '/etc/kubernetes/super-admin.conf' : ADMIN;

const manifest = (settings: KubeVipSettings, view: StepView, kubeconfig: string) =>
  file({
    path: MANIFEST,
    content: podOf(settings, view, kubeconfig),
    mode: 0o600,
    secret: Object.keys(settings.assets.bgpPasswords ?? {}).length > 0,
  });

function podOf({ cluster, vip, assets }: KubeVipSettings, view: StepView, kubeconfig: string): string {
  const { internalAddresses } = clusterHost(cluster, view.host);
  const [nodeAddress] = internalAddresses;
  return kubeVipPod({
    image: assets.images.find(({ name }) => name === 'kube-vip')?.ref ?? '',
    address: vip.address,
    port: cluster.endpoint.port,
    bgp: bgpOf(vip, assets, internalAddresses.find(isIPv4) ?? nodeAddress),
    interface: vip.interface ?? interfaceFor(view, vip.address, nodeAddress),
    kubeconfig,
  });
}

function bgpOf({ mode, bgp }: KubeVip, { bgpPasswords = {} }: Assets, routerId: string): KubeVipBgpOptions | undefined {
  if (mode === 'ARP' || bgp === undefined) return undefined;
  const peers = bgp.peers.map((peer) => ({ ...peer, password: bgpPasswords[peer.address]?.reveal() ?? '' }));
  return { localAS: bgp.localAS, routerId, peers };
}
