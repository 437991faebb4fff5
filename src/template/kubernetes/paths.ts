/** Where nodes have what parts of Kubernetes read, as kubeadm has it. */
export const KUBERNETES = {
  folder: '/etc/kubernetes',
  certificates: '/etc/kubernetes/pki',
  manifests: '/etc/kubernetes/manifests',
  programs: '/usr/local/bin',
} as const;

/** A part of Kubernetes that runs as a service of its host. */
export type Service = (typeof SERVICES)[number];

/** All of them, in the order they start. */
export const SERVICES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'] as const;

/** The ways into a cluster that are made for a host. */
export type KubeconfigName = 'admin' | 'super-admin' | 'controller-manager' | 'scheduler' | 'kube-proxy';

export const programOf = (service: Service): string => `${KUBERNETES.programs}/${service}`;
export const unitFileOf = (service: Service): string => `/etc/systemd/system/${service}.service`;
export const certificateAt = (name: string): string => `${KUBERNETES.certificates}/${name}.crt`;
export const keyAt = (name: string): string => `${KUBERNETES.certificates}/${name}.key`;
export const kubeconfigAt = (name: KubeconfigName): string => `${KUBERNETES.folder}/${name}.conf`;

/** What tokens of service accounts are signed and checked with. */
export const SERVICE_ACCOUNT = {
  privateKey: `${KUBERNETES.certificates}/sa.key`,
  publicKey: `${KUBERNETES.certificates}/sa.pub`,
} as const;

/** What the kubelet comes with: first a token, then a certificate that it has asked for. */
export const KUBELET_CONF = {
  bootstrap: '/etc/kubernetes/bootstrap-kubelet.conf',
  own: '/etc/kubernetes/kubelet.conf',
} as const;

/** What the kubelet shows to API servers, where we made it. */
export const KUBELET_SERVING = { certificate: certificateAt('kubelet'), key: keyAt('kubelet') } as const;

/** What kube-proxy reads. */
export const PROXY_CONFIG = '/var/lib/kube-proxy/config.yaml';
