/** The group of the API that says who may do what. */
export const RBAC = 'rbac.authorization.k8s.io';

/** Lets somebody do everywhere what a role allows. */
export const binding = (name: string, role: string, subject: object) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
  subjects: [subject],
});
