import type { ImageItem } from '../../resource/item.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { etcdAccess } from '../../template/etcd/access.ts';
import { apiserverFlags, apiserverVolumes, PATCHES } from '../../template/kubernetes/apiserver-files.ts';
import type { EtcdOptions } from '../../template/kubeadm/cluster-configuration.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { proxyModeOf } from '../kubernetes-object/proxy-mode.ts';
import type { StepView } from '../contract/part.ts';
import { kubeadmConfiguration } from './kubeadm-configuration.ts';
import type { InitOptionsFor } from './init.ts';
import type { JoinRequest } from './join.ts';

/** The options of kubeadm init for the first master. */
export const kubeadmInitOptions =
  (cluster: Cluster, images: readonly ImageItem[]): InitOptionsFor =>
  ({ host, facts }) => ({
    cluster,
    host: clusterHost(cluster, host),
    imageRepository: 'registry.k8s.io',
    dnsImageTag: tagOf(images, 'coredns'),
    etcd: etcdFor(cluster, images),
    volumes: apiserverVolumes(cluster),
    apiserverFlags: apiserverFlags(cluster),
    proxyMode: proxyModeOf(cluster, facts),
    ignoredChecks: cluster.kubernetes.ignorePreflightErrors,
    patches: patchesOf(cluster),
  });

/** The options of kubeadm join for another node. */
export const kubeadmJoinOptions =
  (cluster: Cluster, images: readonly ImageItem[], first: Host) =>
  (view: StepView): JoinRequest => ({
    cluster,
    host: clusterHost(cluster, view.host),
    first,
    configuration: kubeadmConfiguration(kubeadmInitOptions(cluster, images)(view)),
    ignoredChecks: cluster.kubernetes.ignorePreflightErrors,
    patches: patchesOf(cluster),
  });

const patchesOf = ({ kubernetes: { patches } }: Cluster) => (patches === undefined ? undefined : PATCHES);

const tagOf = (images: readonly ImageItem[], name: string) => images.find((image) => image.name === name)?.version;

function etcdFor(cluster: Cluster, images: readonly ImageItem[]): EtcdOptions {
  const access = etcdAccess(cluster);
  return access ? { type: 'external', ...access } : { type: 'local', imageTag: tagOf(images, 'etcd') };
}
