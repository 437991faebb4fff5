import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { etcdAccess } from '../etcd/access.ts';
import {
  configuredApiserverFlags,
  configuredControllerManagerFlags,
  configuredSchedulerFlags,
} from './configured-flags.ts';
import { certificateAt, keyAt, kubeconfigAt, SERVICE_ACCOUNT } from './paths.ts';

type Flags = Readonly<Record<string, string>>;

/** Control plane components, by the names of their services. */
export type ControlPlaneService = 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

/** All flags of a control plane component: those that kubeadm would set, and those from the cluster file. */
export function controlPlaneFlags(service: ControlPlaneService, cluster: Cluster, host: ClusterHost): Flags {
  switch (service) {
    case 'kube-apiserver':
      return { ...apiserver(cluster, host), ...configuredApiserverFlags(cluster) };
    case 'kube-controller-manager':
      return { ...controllerManager(cluster), ...configuredControllerManagerFlags(cluster) };
    case 'kube-scheduler':
      return { ...LOCAL, ...kubeconfigFlags('scheduler'), ...configuredSchedulerFlags(cluster) };
  }
}

function apiserver(cluster: Cluster, { internalAddresses: [address] }: ClusterHost): Flags {
  const { kubernetes, network } = cluster;
  return {
    'advertise-address': address,
    'secure-port': `${apiPort(cluster)}`,
    'allow-privileged': 'true',
    // API servers do not start with both flags.
    ...(!('authorization-config' in kubernetes.apiserver.extraArgs) && { 'authorization-mode': 'Node,RBAC' }),
    'client-ca-file': certificateAt('ca'),
    'enable-bootstrap-token-auth': 'true',
    ...etcd(cluster),
    'kubelet-client-certificate': certificateAt('apiserver-kubelet-client'),
    'kubelet-client-key': keyAt('apiserver-kubelet-client'),
    'kubelet-preferred-address-types': 'InternalIP,ExternalIP,Hostname',
    'proxy-client-cert-file': certificateAt('front-proxy-client'),
    'proxy-client-key-file': keyAt('front-proxy-client'),
    'requestheader-allowed-names': 'front-proxy-client',
    'requestheader-client-ca-file': certificateAt('front-proxy-ca'),
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-username-headers': 'X-Remote-User',
    'service-account-issuer': `https://kubernetes.default.svc.${kubernetes.dnsDomain}`,
    'service-account-key-file': SERVICE_ACCOUNT.publicKey,
    'service-account-signing-key-file': SERVICE_ACCOUNT.privateKey,
    'service-cluster-ip-range': network.serviceCidrs.join(','),
    'tls-cert-file': certificateAt('apiserver'),
    'tls-private-key-file': keyAt('apiserver'),
  };
}

/** Empty only for an etcd that kubeadm runs, which does not exist in binary mode. */
function etcd(cluster: Cluster): Flags {
  const access = etcdAccess(cluster);
  if (!access) return {};
  const { endpoints, caFile, certFile, keyFile } = access;
  return {
    'etcd-servers': endpoints.join(','),
    ...(caFile !== '' && { 'etcd-cafile': caFile }),
    ...(certFile !== '' && { 'etcd-certfile': certFile, 'etcd-keyfile': keyFile }),
  };
}

const controllerManager = ({ name, network }: Cluster): Flags => ({
  ...LOCAL,
  ...kubeconfigFlags('controller-manager'),
  'allocate-node-cidrs': 'true',
  'client-ca-file': certificateAt('ca'),
  'cluster-cidr': network.podCidrs.join(','),
  'cluster-name': name,
  'cluster-signing-cert-file': certificateAt('ca'),
  'cluster-signing-key-file': keyAt('ca'),
  controllers: '*,bootstrapsigner,tokencleaner',
  'requestheader-client-ca-file': certificateAt('front-proxy-ca'),
  'root-ca-file': certificateAt('ca'),
  'service-account-private-key-file': SERVICE_ACCOUNT.privateKey,
  'service-cluster-ip-range': network.serviceCidrs.join(','),
  'use-service-account-credentials': 'true',
});

/** The endpoints of these components are used only on the host itself. */
const LOCAL = { 'bind-address': '127.0.0.1', 'leader-elect': 'true' };

const kubeconfigFlags = (name: 'controller-manager' | 'scheduler'): Flags => ({
  kubeconfig: kubeconfigAt(name),
  'authentication-kubeconfig': kubeconfigAt(name),
  'authorization-kubeconfig': kubeconfigAt(name),
});
