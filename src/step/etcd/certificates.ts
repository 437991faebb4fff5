import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { CertificateRequest, PkiRequest } from '../../pki/request.ts';
import { ETCD, ETCD_CLIENT } from '../../template/etcd/access.ts';
import { refuseLostCa } from '../common/lost-ca.ts';
import { pkiFiles } from '../common/pki-files.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The local folder of the etcd certificates. */
export const etcdCertificates = (folder: string) => join(folder, 'certs', 'etcd');

export const CA = 'ca';
/** The client certificate of the API servers. */
export const API_SERVER_CLIENT = 'node';
/** The certificate that a member presents to clients. */
export const memberCertificate = (host: string) => `member-${host}`;
/** The certificate that members use among each other. */
export const peerCertificate = (host: string) => `peer-${host}`;
/** The client certificate of etcdctl on the host of a member. */
export const adminCertificate = (host: string) => `admin-${host}`;

/** The paths of a certificate and its key on a host. */
export const pathsOnHost = (name: string) => ({
  certificate: `${ETCD.certificates}/${name}.pem`,
  key: `${ETCD.certificates}/${name}-key.pem`,
});

/** Creates the etcd CA and the certificates of all members and clients on this machine. */
export const makeEtcdCertificates = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'etcd.certificates',
    summary: 'Issue the etcd certificates',
    parts: () => {
      const path = etcdCertificates(folder);
      const ca = { folder: path, name: CA, role: 'etcd', path: ETCD_CLIENT.ca } as const;
      return [refuseLostCa(ca, pkiFiles({ folder: path, request: certificatesOf(cluster) }))];
    },
  });

export function certificatesOf({ hosts }: Cluster): PkiRequest {
  const members = hosts.filter(({ roles }) => roles.includes('etcd'));
  return {
    ca: { name: CA, commonName: 'etcd-ca', days: TEN_YEARS },
    certificates: [
      ...members.flatMap((host) => [
        member(memberCertificate(host.name), host),
        member(peerCertificate(host.name), host),
        client(adminCertificate(host.name), adminCertificate(host.name)),
      ]),
      client(API_SERVER_CLIENT, 'kube-apiserver-etcd-client'),
    ],
  };
}

const TEN_YEARS = 3650;
const TWO_YEARS = 730;
const VALIDITY = { days: TWO_YEARS, renewDays: 90 };

/** As with kubeadm, both are also client certificates: members are clients of each other, and of their own gateway. */
function member(certificate: string, { name, internalAddresses, login }: ClusterHost): CertificateRequest {
  const names = [...new Set([name, 'localhost', ...internalAddresses, login.address, '127.0.0.1', '::1'])];
  return {
    ...VALIDITY,
    name: certificate,
    commonName: name,
    dns: names.filter((each) => isIP(each) === 0),
    ips: names.filter((each) => isIP(each) !== 0),
    usages: ['server', 'client'],
  };
}

const client = (name: string, commonName: string): CertificateRequest => ({
  ...VALIDITY,
  name,
  commonName,
  usages: ['client'],
});
