import { BOOTSTRAP_GROUP } from '../kubeadm/init.ts';

export const RBAC = 'rbac.authorization.k8s.io';

export const clusterRoleBinding = (name: string, role: string, subject: object) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
  subjects: [subject],
});

const group = (name: string) => ({ apiGroup: RBAC, kind: 'Group', name });
const user = (name: string) => ({ apiGroup: RBAC, kind: 'User', name });

/** Allows API servers to call kubelets, and nothing else. */
export const kubeletApiAccess = clusterRoleBinding(
  'kubeadm:apiserver-kubelet-client',
  'system:kubelet-api-admin',
  user('kube-apiserver-kubelet-client'),
);

/** Grants cluster-admin to administrators by a binding, so that it can be revoked. */
export const clusterAdmins = clusterRoleBinding(
  'kubeadm:cluster-admins',
  'cluster-admin',
  group('kubeadm:cluster-admins'),
);

const CERTIFICATES = 'system:certificates.k8s.io:certificatesigningrequests';

/** Approves node certificates requested with a bootstrap token, and their renewal by the node itself. */
export const nodeBootstrap = [
  clusterRoleBinding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', group(BOOTSTRAP_GROUP)),
  clusterRoleBinding('kubeadm:node-autoapprove-bootstrap', `${CERTIFICATES}:nodeclient`, group(BOOTSTRAP_GROUP)),
  clusterRoleBinding(
    'kubeadm:node-autoapprove-certificate-rotation',
    `${CERTIFICATES}:selfnodeclient`,
    group('system:nodes'),
  ),
];

const INFO = { name: 'cluster-info', namespace: 'kube-public' };
const SIGNER = { name: 'kubeadm:bootstrap-signer-clusterinfo', namespace: 'kube-public' };

/** The cluster-info ConfigMap with endpoint and CA, readable without authentication, as kubeadm creates it. */
export const clusterInfo = (kubeconfig: string) => [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: INFO, data: { kubeconfig } },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: SIGNER,
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [INFO.name], verbs: ['get'] }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: SIGNER,
    roleRef: { apiGroup: RBAC, kind: 'Role', name: SIGNER.name },
    subjects: [user('system:anonymous')],
  },
];
