import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { criSocket } from '../../config/model/container-runtimes.ts';
import { kubeletServing } from '../../config/model/kubelet-serving.ts';
import { minorOf } from '../../config/model/version.ts';
import { kubeletConfiguration } from '../kubeadm/kubelet-configuration.ts';
import { deepMerge } from '../deep-merge.ts';
import { taintsOf } from '../kubeadm/node-registration.ts';
import { commandLine, systemdUnit } from '../systemd-unit.ts';
import { yamlDocuments } from '../yaml-documents.ts';
import { certificateAt, KUBELET, KUBELET_KUBECONFIG, KUBELET_SERVING, KUBERNETES } from './paths.ts';

/** The text of kubelet.service in binary mode. Node-specific settings are flags. */
export const kubeletService = (cluster: Cluster, host: ClusterHost): string =>
  systemdUnit({
    Unit: {
      Description: 'kubelet: the Kubernetes node agent',
      Documentation: 'https://kubernetes.io/docs/',
      Wants: 'network-online.target',
      After: 'network-online.target',
    },
    Service: {
      ExecStart: commandLine(KUBELET.program, flagsOf(cluster, host)),
      Restart: 'always',
      StartLimitInterval: 0,
      RestartSec: 10,
    },
    Install: { WantedBy: 'multi-user.target' },
  });

function flagsOf(cluster: Cluster, host: ClusterHost): Readonly<Record<string, string>> {
  const taints = taintsOf(host).map(({ key, value, effect }) => `${key}=${value}:${effect}`);
  return {
    'bootstrap-kubeconfig': KUBELET_KUBECONFIG.bootstrap,
    kubeconfig: KUBELET_KUBECONFIG.own,
    config: KUBELET.config,
    'hostname-override': host.name,
    'node-ip': host.internalAddresses.join(','),
    ...(minorOf(cluster.kubernetes.version) < 27 && { 'container-runtime-endpoint': criSocket(cluster) }),
    ...(taints.length > 0 && { 'register-with-taints': taints.join(',') }),
    ...cluster.kubernetes.kubelet.extraArgs,
  };
}

/** The configuration file of the kubelet: what kubeadm would write, and the settings from the cluster file. */
export const kubeletConfig = (cluster: Cluster, { resolved, protectKernelDefaults }: KubeletHostOptions): string =>
  yamlDocuments([
    deepMerge(
      { ...kubeadmDefaults(resolved), ...(protectKernelDefaults && { protectKernelDefaults }), ...servingOf(cluster) },
      kubeletConfiguration(cluster),
    ),
  ]);

/** Settings that depend on the host. */
export interface KubeletHostOptions {
  /** systemd-resolved is active. */
  readonly resolved: boolean;
  readonly protectKernelDefaults: boolean;
}

const servingOf = (cluster: Cluster) =>
  kubeletServing(cluster) === 'cluster-ca' && {
    tlsCertFile: KUBELET_SERVING.certificate,
    tlsPrivateKeyFile: KUBELET_SERVING.key,
  };

/** With systemd-resolved, pods use its upstream servers instead of its stub resolver. */
const kubeadmDefaults = (resolved: boolean) => ({
  staticPodPath: KUBERNETES.manifests,
  authentication: {
    x509: { clientCAFile: certificateAt('ca') },
    webhook: { enabled: true },
    anonymous: { enabled: false },
  },
  authorization: { mode: 'Webhook' },
  healthzBindAddress: '127.0.0.1',
  healthzPort: 10_248,
  ...(resolved && { resolvConf: '/run/systemd/resolve/resolv.conf' }),
});
