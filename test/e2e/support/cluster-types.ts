/** The cluster types to test; KUBEXM_TYPE=kubexm selects one. */
export const TYPES: readonly string[] = ['kubeadm', 'kubexm'].filter(
  (type) => (process.env['KUBEXM_TYPE'] ?? type) === type,
);
