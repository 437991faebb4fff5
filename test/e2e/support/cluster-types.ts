/** Ways to make a cluster; KUBEXM_TYPE=kubexm tries one alone. */
export const TYPES: readonly string[] = ['kubeadm', 'kubexm'].filter(
  (type) => (process.env['KUBEXM_TYPE'] ?? type) === type,
);
