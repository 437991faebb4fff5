import { isIP } from 'node:net';
import type { Cluster } from '../../config/model/cluster.ts';
import { kubeProxyConfiguration, type ProxyMode } from '../kubeadm/kube-proxy-configuration.ts';
import { deepMerge } from '../kubeadm/kubelet-configuration.ts';
import { localAddressFor } from '../../util/address.ts';
import { yamlDocuments } from '../yaml-documents.ts';
import { kubeconfigAt } from './paths.ts';

/** What kube-proxy reads when it is a service. */
export const kubeProxyConfig = (cluster: Cluster, mode: ProxyMode): string => yamlDocuments([settings(cluster, mode)]);

const settings = (cluster: Cluster, mode: ProxyMode) =>
  deepMerge({ clientConnection: { kubeconfig: kubeconfigAt('kube-proxy') } }, kubeProxyConfiguration(cluster, mode));

/** Where the host itself asks whether it is well. */
export function kubeProxyHealth(cluster: Cluster, mode: ProxyMode): string {
  const { healthzBindAddress: bound = '' } = settings(cluster, mode) as { readonly healthzBindAddress?: string };
  const [, address = bound, port = '10256'] = /^(.*):(\d+)$/.exec(isIP(bound) === 0 ? bound : '') ?? [];
  return `http://${localAddressFor(address.replaceAll(/[[\]]/g, ''))}:${port}`;
}
