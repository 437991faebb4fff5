import type { Cluster } from '../../config/model/cluster.ts';
import { limitsAnonymous, configuresAdmission } from '../../config/model/security.ts';
import { kubeadmApi } from '../../template/kubeadm/api.ts';
import { clusterConfiguration, type ClusterConfiguration } from '../../template/kubeadm/cluster-configuration.ts';
import type { InitOptions } from '../../template/kubeadm/init.ts';
import { kubeletConfiguration } from '../../template/kubeadm/kubelet-configuration.ts';
import { admissionConfig } from '../../template/kubernetes/admission.ts';
import { auditPolicy } from '../../template/kubernetes/audit-policy.ts';
import { authenticationConfig } from '../../template/kubernetes/authentication.ts';
import { configurationChecksum, type Configuration } from './applied-configuration.ts';

/** The checksums of what kubeadm generates from the cluster file. */
export function kubeadmConfiguration(options: Omit<InitOptions, 'token'>): KubeadmConfiguration {
  const { cluster } = options;
  const api = kubeadmApi(cluster.kubernetes.version);
  const control = clusterConfiguration({ ...options, api });
  const kubelet = kubeletConfiguration(cluster);
  return {
    cluster: configurationChecksum([control, kubelet]),
    kubelet: configurationChecksum(kubelet),
    'control-plane': configurationChecksum([withoutSans(control), filesOf(cluster)]),
  };
}

/** The checksum of the control plane that earlier versions recorded, which also covered the names of all API servers. */
export function formerControlPlane(options: Omit<InitOptions, 'token'>): string {
  const { cluster } = options;
  const control = clusterConfiguration({ ...options, api: kubeadmApi(cluster.kubernetes.version) });
  return configurationChecksum([control, filesOf(cluster)]);
}

/** Manifests do not contain the names in certificates: a new master does not change those of the others. */
const withoutSans = (control: ClusterConfiguration): object => ({
  ...control,
  apiServer: Object.fromEntries(Object.entries(control.apiServer).filter(([name]) => name !== 'certSANs')),
});

/** `cluster` applies to the first master, `control-plane` to masters and `kubelet` to all nodes. */
export type KubeadmConfiguration = Required<Omit<Configuration, 'secrets'>>;

/** All Secrets are encrypted with the current key. */
export const secretsChecksum = configurationChecksum('encrypted');

/** Files that an API server reads only when it starts. */
const filesOf = (cluster: Cluster): readonly string[] => [
  ...(cluster.kubernetes.audit ? [auditPolicy()] : []),
  ...(configuresAdmission(cluster) ? [admissionConfig()] : []),
  ...(limitsAnonymous(cluster) ? [authenticationConfig(cluster.kubernetes.version)] : []),
];
