import type { Cluster } from '../../../config/model/cluster.ts';
import { kubeProxyConfig, kubeProxyHealth } from '../../../template/kubernetes/kube-proxy-service.ts';
import { kubeconfigAt, programOf, PROXY_CONFIG, unitFileOf } from '../../../template/kubernetes/paths.ts';
import { kubeProxyUnit } from '../../../template/kubernetes/service-units.ts';
import { clusterHost } from '../../contract/cluster-host.ts';
import { file } from '../../common/file.ts';
import { uploadedLocalFile } from '../../common/uploaded-local-file.ts';
import { waitUntil } from '../../common/wait-until.ts';
import { configuredService } from '../../common/configured-service.ts';
import { proxyModeOf } from '../../kubernetes-object/proxy-mode.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { healthCheck } from './health-check.ts';
import { localKubeconfig } from './kubeconfigs.ts';

/** Runs kube-proxy as a service with its current configuration, and waits until it is healthy. */
export const serveKubeProxy = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'kube-proxy.serve',
    summary: 'Configure and start kube-proxy',
    reversible: true,
    parts: ({ host, facts }) => {
      const kubeconfig = kubeconfigAt('kube-proxy');
      const unitFile = unitFileOf('kube-proxy');
      const mode = proxyModeOf(cluster, facts);
      return [
        ...configuredService({
          unit: 'kube-proxy.service',
          files: [
            uploadedLocalFile({
              localPath: localKubeconfig(folder, host.name, 'kube-proxy'),
              path: kubeconfig,
              mode: 0o600,
            }),
            file({ path: PROXY_CONFIG, content: kubeProxyConfig(cluster, mode) }),
            file({ path: unitFile, content: kubeProxyUnit(cluster, clusterHost(cluster, host)) }),
          ],
          restartIfNewer: [kubeconfig, PROXY_CONFIG, unitFile, programOf('kube-proxy')],
        }),
        waitUntil({
          key: 'wait:kube-proxy',
          summary: 'kube-proxy is healthy',
          condition: healthCheck({ server: kubeProxyHealth(cluster, mode), path: '/healthz', kubeconfig }),
          timeoutMs: 120_000,
        }),
      ];
    },
  });
