import { isIP } from 'node:net';
import type { Cluster } from '../../config/model/cluster.ts';
import { kubeProxyConfiguration, type ProxyMode } from '../kubeadm/kube-proxy-configuration.ts';
import { deepMerge } from '../deep-merge.ts';
import { localAddressFor } from '../../util/address.ts';
import { yamlDocuments } from '../yaml-documents.ts';
import { kubeconfigAt } from './paths.ts';

/** The configuration file of kube-proxy in binary mode. */
export const kubeProxyConfig = (cluster: Cluster, mode: ProxyMode): string => yamlDocuments([settings(cluster, mode)]);

const settings = (cluster: Cluster, mode: ProxyMode) =>
  deepMerge({ clientConnection: { kubeconfig: kubeconfigAt('kube-proxy') } }, kubeProxyConfiguration(cluster, mode));

/** URL of the kube-proxy health endpoint on the host. */
export function kubeProxyHealth(cluster: Cluster, mode: ProxyMode): string {
  const { healthzBindAddress: bound = '' } = settings(cluster, mode) as { readonly healthzBindAddress?: string };
  const [, address = bound, port = '10256'] = /^(.*):(\d+)$/.exec(isIP(bound) === 0 ? bound : '') ?? [];
  return `http://${localAddressFor(address.replaceAll(/[[\]]/g, ''))}:${port}`;
}
