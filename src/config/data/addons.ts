/** Addons that can be installed by name alone. */
export const ADDONS = [
  'ingress-nginx',
  'kata',
  'local-path',
  'longhorn',
  'metallb',
  'metrics-server',
  'monitoring',
  'multus',
  'nfs-client',
  'node-feature-discovery',
  'openebs',
  'velero',
] as const;

/** One of them. */
export type AddonName = (typeof ADDONS)[number];
