import type { Cluster } from '../../config/cluster.ts';
import { kubeProxyConfiguration, type ProxyMode } from '../kubeadm/kube-proxy-configuration.ts';
import { merged } from '../kubeadm/kubelet-configuration.ts';
import { yamlDocuments } from '../yaml-documents.ts';
import { kubeconfigAt } from './places.ts';

/** What kube-proxy reads when it is a service. */
export const kubeProxyConfig = (cluster: Cluster, mode: ProxyMode): string =>
  yamlDocuments([
    merged({ clientConnection: { kubeconfig: kubeconfigAt('kube-proxy') } }, kubeProxyConfiguration(cluster, mode)),
  ]);
