import { isIP } from 'node:net';
import { isNode } from '../../../common/host.ts';
import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { kubeletServing } from '../../../config/model/kubelet-serving.ts';
import { addressAt } from '../../../config/model/addresses.ts';
import { minorOf } from '../../../config/model/version.ts';
import type { CaRequest, CertificateRequest, PkiRequest } from '../../../pki/request.ts';
import { replacesKubeProxy, apiserverCertSans } from '../../../template/kubeadm/cluster-configuration.ts';
import { certificateAt } from '../../../template/kubernetes/paths.ts';
import { refuseLostCa } from '../../common/lost-ca.ts';
import { pkiFiles } from '../../common/pki-files.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { serviceAccountKey } from './service-account-key.ts';

/** The name of a file in the local folder of a host. */
export const inHostFolder = (host: string, name: string) => `${host}/${name}`;

/** Creates the Kubernetes CAs and the certificates of all components on this machine. */
export const makeKubernetesCertificates = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'kubernetes.certificates',
    summary: 'Issue the Kubernetes certificates',
    parts: () => {
      const path = kubernetesCertificates(folder);
      return [
        ...requestsOf(cluster).map((request) => {
          const { name } = request.ca;
          const ca = { folder: path, name, role: 'master', path: certificateAt(name) } as const;
          return refuseLostCa(ca, pkiFiles({ folder: path, request }));
        }),
        serviceAccountKey(path),
      ];
    },
  });

/** The two CAs and the certificates they sign, with the same names, usages and SANs as with kubeadm. */
export function requestsOf(cluster: Cluster): readonly PkiRequest[] {
  const masters = cluster.hosts.filter(({ roles }) => roles.includes('master'));
  const nodes = cluster.hosts.filter(isNode);
  return [
    {
      ca: caRequest('ca', 'kubernetes'),
      certificates: [
        ...masters.flatMap((host) => masterCertificates(cluster, host)),
        ...(kubeletServing(cluster) === 'cluster-ca' ? nodes.map(kubeletCertificate) : []),
        ...(replacesKubeProxy(cluster) ? [] : nodes.map(({ name }) => client(name, 'kube-proxy', 'system:kube-proxy'))),
      ],
    },
    {
      ca: caRequest('front-proxy-ca', 'front-proxy-ca'),
      certificates: masters.map(({ name }) => client(name, 'front-proxy-client', 'front-proxy-client')),
    },
  ];
}

const caRequest = (name: string, commonName: string): CaRequest => ({
  name,
  commonName,
  dns: [commonName],
  days: 3650,
});

/** The group that bypasses RBAC; needed to create the first bindings. */
const SYSTEM_MASTERS = 'system:masters';

const VALIDITY = { days: 365, renewDays: 90 };

function masterCertificates(cluster: Cluster, host: ClusterHost): readonly CertificateRequest[] {
  const { name } = host;
  // kubeadm:cluster-admins exists since 1.29.
  const admins = minorOf(cluster.kubernetes.version) >= 29 ? 'kubeadm:cluster-admins' : SYSTEM_MASTERS;
  return [
    serving(cluster, host),
    client(name, 'apiserver-kubelet-client', 'kube-apiserver-kubelet-client'),
    client(name, 'admin', 'kubernetes-admin', admins),
    client(name, 'controller-manager', 'system:kube-controller-manager'),
    client(name, 'scheduler', 'system:kube-scheduler'),
  ];
}

const client = (host: string, name: string, commonName: string, organization?: string): CertificateRequest => ({
  ...VALIDITY,
  name: inHostFolder(host, name),
  commonName,
  ...(organization !== undefined && { organizations: [organization] }),
  usages: ['client'],
});

/** Equals the certificate that kubelets request themselves if serverTLSBootstrap is enabled. */
const kubeletCertificate = ({ name, internalAddresses }: ClusterHost): CertificateRequest => ({
  ...VALIDITY,
  name: inHostFolder(name, 'kubelet'),
  commonName: `system:node:${name}`,
  organizations: ['system:nodes'],
  dns: [name],
  ips: internalAddresses,
  usages: ['server'],
});

/**
 * The names of the other masters and of load balancers, which are in the certificate as with kubeadm. Clients use the names
 * of the master or the endpoint, so that a new host does not change the certificates of the others.
 */
function namesOfOthers({ hosts, endpoint, kubernetes }: Cluster, own: ClusterHost): readonly string[] {
  const { external } = endpoint;
  const address = external.type === 'none' ? undefined : external.address;
  const required = new Set([address, ...kubernetes.apiserverCertExtraSans, ...namesOf(own)]);
  return hosts
    .filter(({ roles }) => roles.includes('master') || roles.includes('loadbalancer'))
    .flatMap(namesOf)
    .filter((name) => !required.has(name));
}

const namesOf = ({ name, internalAddresses, login }: ClusterHost) => [name, ...internalAddresses, login.address];

function serving(cluster: Cluster, host: ClusterHost): CertificateRequest {
  const { name, internalAddresses } = host;
  const service = 'kubernetes.default.svc';
  const names = [
    ...new Set([
      name,
      'kubernetes',
      'kubernetes.default',
      service,
      `${service}.${cluster.kubernetes.dnsDomain}`,
      ...cluster.network.serviceCidrs.map((cidr) => addressAt(cidr, 1)),
      ...internalAddresses,
      ...apiserverCertSans(cluster),
    ]),
  ];
  return {
    ...VALIDITY,
    name: inHostFolder(name, 'apiserver'),
    commonName: 'kube-apiserver',
    optional: namesOfOthers(cluster, host),
    dns: names.filter((each) => isIP(each) === 0),
    ips: names.filter((each) => isIP(each) !== 0),
    usages: ['server'],
  };
}
