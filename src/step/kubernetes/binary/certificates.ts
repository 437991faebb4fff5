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

/** What is made for one host alone stands in a folder of its name. */
export const inHostFolder = (host: string, name: string) => `${host}/${name}`;

/** Kubernetes has its authorities on this machine, and certificates for all parts of it. */
export const makeKubernetesCertificates = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'kubernetes.certificates',
    summary: 'Make the certificates of Kubernetes',
    parts: () => {
      const place = kubernetesCertificates(folder);
      return [
        ...requestsOf(cluster).map((request) => {
          const { name } = request.ca;
          const authority = { folder: place, name, role: 'master', path: certificateAt(name) } as const;
          return refuseLostCa(authority, pkiFiles({ folder: place, request }));
        }),
        serviceAccountKey(place),
      ];
    },
  });

/** Two authorities and what each vouches for, with the names, usages and other names that kubeadm gives. */
export function requestsOf(cluster: Cluster): readonly PkiRequest[] {
  const masters = cluster.hosts.filter(({ roles }) => roles.includes('master'));
  const nodes = cluster.hosts.filter(isNode);
  return [
    {
      ca: authority('ca', 'kubernetes'),
      certificates: [
        ...masters.flatMap((host) => masterCertificates(cluster, host)),
        client(cluster.firstMaster, 'super-admin', 'kubernetes-super-admin', ALL),
        ...(kubeletServing(cluster) === 'cluster-ca' ? nodes.map(kubeletCertificate) : []),
        ...(replacesKubeProxy(cluster) ? [] : nodes.map(({ name }) => client(name, 'kube-proxy', 'system:kube-proxy'))),
      ],
    },
    {
      ca: authority('front-proxy-ca', 'front-proxy-ca'),
      certificates: masters.map(({ name }) => client(name, 'front-proxy-client', 'front-proxy-client')),
    },
  ];
}

const authority = (name: string, commonName: string): CaRequest => ({
  name,
  commonName,
  dns: [commonName],
  days: 3650,
});

/** The group that no rule holds for; whoever makes the first rule is in it. */
const ALL = 'system:masters';

const VALIDITY = { days: 365, renewDays: 90 };

function masterCertificates(cluster: Cluster, host: ClusterHost): readonly CertificateRequest[] {
  const { name } = host;
  // Before 1.29 there was no other group of administrators than the one that no rule holds for.
  const admins = minorOf(cluster.kubernetes.version) >= 29 ? 'kubeadm:cluster-admins' : ALL;
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

/** As kubelets ask for it themselves where somebody approves that. */
const kubeletCertificate = ({ name, internalAddresses }: ClusterHost): CertificateRequest => ({
  ...VALIDITY,
  name: inHostFolder(name, 'kubelet'),
  commonName: `system:node:${name}`,
  organizations: ['system:nodes'],
  dns: [name],
  ips: internalAddresses,
  usages: ['server'],
});

function serving(cluster: Cluster, { name, internalAddresses }: ClusterHost): CertificateRequest {
  const inside = 'kubernetes.default.svc';
  const names = [
    ...new Set([
      name,
      'kubernetes',
      'kubernetes.default',
      inside,
      `${inside}.${cluster.kubernetes.dnsDomain}`,
      ...cluster.network.serviceCidrs.map((cidr) => addressAt(cidr, 1)),
      ...internalAddresses,
      ...apiserverCertSans(cluster),
    ]),
  ];
  return {
    ...VALIDITY,
    name: inHostFolder(name, 'apiserver'),
    commonName: 'kube-apiserver',
    dns: names.filter((each) => isIP(each) === 0),
    ips: names.filter((each) => isIP(each) !== 0),
    usages: ['server'],
  };
}
