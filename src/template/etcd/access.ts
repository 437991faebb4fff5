import type { Cluster } from '../../config/model/cluster.ts';
import { clientUrl } from './environment.ts';

/** Where etcd is on its hosts. */
export const ETCD = {
  user: 'etcd',
  unit: 'etcd.service',
  unitFile: '/etc/systemd/system/etcd.service',
  programs: '/usr/local/bin',
  environment: '/etc/kubexm/etcd/etcd.env',
  certificates: '/etc/kubexm/etcd/ssl',
} as const;

/**
 * What API servers reach etcd with, on every master. It is the same certificate everywhere: kubeadm knows one path for all
 * masters, and hands the files of the first one on to those that join.
 */
export const ETCD_CLIENT = {
  ca: `${ETCD.certificates}/ca.pem`,
  certificate: `${ETCD.certificates}/node.pem`,
  key: `${ETCD.certificates}/node-key.pem`,
} as const;

/** An etcd that does not run as a part of kubeadm's masters: where it answers, and the files to reach it with. */
export interface EtcdAccess {
  readonly endpoints: readonly string[];
  /** Empty where none is needed, like the others. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** How masters reach etcd; undefined where it is kubeadm's own. */
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
