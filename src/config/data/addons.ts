/** The addons in the catalog, which can be installed by name. */
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

export type AddonName = (typeof ADDONS)[number];
