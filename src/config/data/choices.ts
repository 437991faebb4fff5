/** Values that both the cluster file and the flags of `create config` accept. */

export const KUBERNETES_TYPES = ['kubeadm', 'kubexm'] as const;
export const ETCD_TYPES = ['kubexm', 'kubeadm', 'external'] as const;
export const INTERNAL_LOAD_BALANCERS = ['haproxy', 'nginx', 'kube-vip'] as const;
export const EXTERNAL_LOAD_BALANCERS = ['kubexm-kh', 'kubexm-kn', 'external'] as const;
/** What to do with the SSH key of an unknown host: trust it on first use (tofu), or refuse it (strict). */
export const HOST_KEY_MODES = ['tofu', 'strict'] as const;
export const SECURITY_PROFILES = ['default', 'cis'] as const;
