import type { Assets } from '../../resource/assets.ts';
import type { Cluster, InternalLoadBalancer } from '../../config/model/cluster.ts';
import { minorOf } from '../../config/model/version.ts';
import { sh } from '../../runner/command.ts';
import { kubeVipPod } from '../../template/load-balancer/kube-vip.ts';
import { MANIFESTS } from '../../template/load-balancer/static-pod.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { file } from '../common/file.ts';
import type { StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { when } from '../common/when.ts';
import { interfaceFor } from './vip-interface.ts';

type KubeVip = Extract<InternalLoadBalancer, { readonly type: 'kube-vip' }>;

/** What kube-vip is made of. */
export interface KubeVipSettings {
  readonly cluster: Cluster;
  readonly vip: KubeVip;
  readonly assets: Assets;
}

/** The first master has kube-vip before there is an API; with rights that nobody has to grant first. */
export const startKubeVip = (settings: KubeVipSettings): Step =>
  defineStep({
    name: 'kube-vip.begin',
    summary: 'Give the first master kube-vip',
    reversible: true,
    parts: (view) => [when(NOT_YET, manifest(podOf(settings, view, firstKubeconfig(settings.cluster))))],
  });

/** A master of a cluster that is there runs kube-vip as the administrator of it. */
export const runKubeVip = (settings: KubeVipSettings): Step =>
  defineStep({
    name: 'kube-vip.run',
    summary: 'Let the master take part in who has the virtual address',
    reversible: true,
    parts: (view) => [manifest(podOf(settings, view, ADMIN))],
  });

const ADMIN = '/etc/kubernetes/admin.conf';
const NOT_YET = sh`[ ! -e ${ADMIN} ]`;

// Since 1.29 admin.conf may do nothing until a binding is made, and for that the API is asked for at the virtual address.
const firstKubeconfig = ({ kubernetes: { version } }: Cluster) =>
  minorOf(version) >= 29 ? '/etc/kubernetes/super-admin.conf' : ADMIN;

const manifest = (content: string) => file({ path: `${MANIFESTS}/kube-vip.yaml`, content, mode: 0o600 });

function podOf({ cluster, vip, assets }: KubeVipSettings, view: StepView, kubeconfig: string): string {
  const [nodeAddress] = clusterHost(cluster, view.host).internalAddresses;
  return kubeVipPod({
    image: assets.images.find(({ name }) => name === 'kube-vip')?.ref ?? '',
    address: vip.address,
    port: cluster.endpoint.port,
    mode: vip.mode,
    interface: vip.interface ?? interfaceFor(view, vip.address, nodeAddress),
    nodeAddress,
    kubeconfig,
  });
}
