export const RBAC = 'rbac.authorization.k8s.io';

export const clusterRoleBinding = (name: string, role: string, subject: object) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
  subjects: [subject],
});
