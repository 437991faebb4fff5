/** Kubernetes paths on nodes, the same as kubeadm's. */
export const KUBERNETES = {
  folder: '/etc/kubernetes',
  certificates: '/etc/kubernetes/pki',
  manifests: '/etc/kubernetes/manifests',
  programs: '/usr/local/bin',
} as const;

/** A Kubernetes component that runs as a systemd service in binary mode. */
export type Service = (typeof SERVICES)[number];

/** Kubernetes services in start order. */
export const SERVICES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'] as const;

/** Kubeconfigs on hosts. */
export type KubeconfigName = 'admin' | 'super-admin' | 'controller-manager' | 'scheduler' | 'kube-proxy';

export const programOf = (service: Service): string => `${KUBERNETES.programs}/${service}`;
export const unitFileOf = (service: Service): string => `/etc/systemd/system/${service}.service`;
export const certificateAt = (name: string): string => `${KUBERNETES.certificates}/${name}.crt`;
export const keyAt = (name: string): string => `${KUBERNETES.certificates}/${name}.key`;
export const kubeconfigAt = (name: KubeconfigName): string => `${KUBERNETES.folder}/${name}.conf`;

/** Keys that sign and verify service account tokens. */
export const SERVICE_ACCOUNT = {
  privateKey: `${KUBERNETES.certificates}/sa.key`,
  publicKey: `${KUBERNETES.certificates}/sa.pub`,
} as const;

/** Paths and unit of the kubelet. */
export const KUBELET = {
  program: '/usr/local/bin/kubelet',
  unit: 'kubelet.service',
  unitFile: '/etc/systemd/system/kubelet.service',
  dropIn: '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf',
  config: '/var/lib/kubelet/config.yaml',
} as const;

/** Kubeconfigs of the kubelet: with a bootstrap token at first, then with its own certificate. */
export const KUBELET_KUBECONFIG = {
  bootstrap: '/etc/kubernetes/bootstrap-kubelet.conf',
  own: '/etc/kubernetes/kubelet.conf',
} as const;

/** Serving certificate of the kubelet, if kubexm issued it. */
export const KUBELET_SERVING = { certificate: certificateAt('kubelet'), key: keyAt('kubelet') } as const;

export const PROXY_CONFIG = '/var/lib/kube-proxy/config.yaml';
