import type { Cluster } from '../../config/model/cluster.ts';
import { clientUrl } from './environment.ts';

/** Paths, user and unit of etcd. */
export const ETCD = {
  user: 'etcd',
  unit: 'etcd.service',
  unitFile: '/etc/systemd/system/etcd.service',
  programs: '/usr/local/bin',
  environment: '/etc/kubexm/etcd/etcd.env',
  certificates: '/etc/kubexm/etcd/ssl',
} as const;

/**
 * Client certificate of API servers, at the same path on every master: kubeadm supports one path for all masters and
 * copies the files of the first master to those that join.
 */
export const ETCD_CLIENT = {
  ca: `${ETCD.certificates}/ca.pem`,
  certificate: `${ETCD.certificates}/node.pem`,
  key: `${ETCD.certificates}/node-key.pem`,
} as const;

/** Endpoints and client files of an etcd that kubeadm does not run. */
export interface EtcdAccess {
  readonly endpoints: readonly string[];
  /** Empty if etcd needs none; likewise certFile and keyFile. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** How API servers reach etcd; undefined if kubeadm runs it. */
export function etcdAccess({ etcd, hosts }: Cluster): EtcdAccess | undefined {
  const { ca, certificate, key } = ETCD_CLIENT;
  switch (etcd.type) {
    case 'kubexm': {
      const members = hosts.filter(({ roles }) => roles.includes('etcd'));
      return { endpoints: members.map(clientUrl), caFile: ca, certFile: certificate, keyFile: key };
    }
    case 'external':
      return {
        endpoints: etcd.endpoints,
        caFile: etcd.caFile === undefined ? '' : ca,
        certFile: etcd.certFile === undefined ? '' : certificate,
        keyFile: etcd.keyFile === undefined ? '' : key,
      };
    case 'kubeadm':
      return undefined;
  }
}
