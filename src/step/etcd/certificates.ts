import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { CertificateRequest, PkiRequest } from '../../pki/request.ts';
import { ETCD_CLIENT } from '../../template/etcd/access.ts';
import { refuseLostCa } from '../common/lost-ca.ts';
import { pkiFiles } from '../common/pki-files.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Below the folder of a cluster. */
export const etcdCertificates = (folder: string) => join(folder, 'certs', 'etcd');

export const CA = 'ca';
/** What API servers come with. */
export const API_SERVER_CLIENT = 'node';
/** What a member shows to clients and to the other members. */
export const memberCertificate = (host: string) => `member-${host}`;
/** What etcdctl comes with on the host of a member. */
export const adminCertificate = (host: string) => `admin-${host}`;

/** etcd has an authority of its own on this machine, and certificates for all who speak with it. */
export const makeEtcdCertificates = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'etcd.certificates',
    summary: 'Make the certificates of etcd',
    parts: () => {
      const place = etcdCertificates(folder);
      const authority = { folder: place, name: CA, role: 'etcd', path: ETCD_CLIENT.ca } as const;
      return [refuseLostCa(authority, pkiFiles({ folder: place, request: certificatesOf(cluster) }))];
    },
  });

export function certificatesOf({ hosts }: Cluster): PkiRequest {
  const members = hosts.filter(({ roles }) => roles.includes('etcd'));
  return {
    ca: { name: CA, commonName: 'etcd-ca', days: TEN_YEARS },
    certificates: [
      ...members.flatMap((host) => [member(host), client(adminCertificate(host.name), adminCertificate(host.name))]),
      client(API_SERVER_CLIENT, 'kube-apiserver-etcd-client'),
    ],
  };
}

const TEN_YEARS = 3650;
const TWO_YEARS = 730;
const VALIDITY = { days: TWO_YEARS, renewDays: 90 };

/** As kubeadm would name it; members are clients of each other, too. */
function member({ name, internalAddresses, login }: ClusterHost): CertificateRequest {
  const names = [...new Set([name, 'localhost', ...internalAddresses, login.address, '127.0.0.1', '::1'])];
  return {
    ...VALIDITY,
    name: memberCertificate(name),
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
