import { BOOTSTRAP_GROUP } from '../kubeadm/init.ts';
import { binding, RBAC } from './binding.ts';

const group = (name: string) => ({ apiGroup: RBAC, kind: 'Group', name });
const user = (name: string) => ({ apiGroup: RBAC, kind: 'User', name });

/** API servers may do with kubelets what they are there for, and nothing in the cluster itself. */
export const kubeletApiAccess = binding(
  'kubeadm:apiserver-kubelet-client',
  'system:kubelet-api-admin',
  user('kube-apiserver-kubelet-client'),
);

/** Administrators may do everything, but by a rule that can be taken away. */
export const clusterAdmins = binding('kubeadm:cluster-admins', 'cluster-admin', group('kubeadm:cluster-admins'));

const CERTIFICATES = 'system:certificates.k8s.io:certificatesigningrequests';

/** Who has a token may ask for a certificate of a node and gets it; a node gets a new one for its own. */
export const nodeBootstrap = [
  binding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', group(BOOTSTRAP_GROUP)),
  binding('kubeadm:node-autoapprove-bootstrap', `${CERTIFICATES}:nodeclient`, group(BOOTSTRAP_GROUP)),
  binding('kubeadm:node-autoapprove-certificate-rotation', `${CERTIFICATES}:selfnodeclient`, group('system:nodes')),
];

const INFO = { name: 'cluster-info', namespace: 'kube-public' };
const SIGNER = { name: 'kubeadm:bootstrap-signer-clusterinfo', namespace: 'kube-public' };

/** Where the cluster is and who vouches for it, for everybody who has not joined yet; tools look for it. */
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
