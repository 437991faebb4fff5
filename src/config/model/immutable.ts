import { createHash } from 'node:crypto';
import { inOrder } from '../../common/in-order.ts';
import type { Cluster } from './cluster.ts';

/** Sums of fields of the cluster file, by the names that the file has for them. */
export type Settled = Readonly<Record<string, string>>;

/**
 * What is settled when a cluster is made: creating it again does not change it. As sums, since flags may hold what others
 * must not see.
 */
export function settledFields(cluster: Cluster): Settled {
  const { network } = cluster;
  const fields = {
    ...kubernetesFields(cluster),
    ...etcdFields(cluster),
    ...endpointFields(cluster),
    'network.plugin': network.plugin.type,
    'network.kubePodsCIDR': network.podCidrs,
    'network.kubeServiceCIDR': network.serviceCidrs,
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, sumOf(value)]));
}

function kubernetesFields({ kubernetes }: Cluster) {
  const fields = {
    ...kubernetes,
    clusterName: kubernetes.dnsDomain,
    apiserverCertExtraSans: kubernetes.apiserverCertExtraSans.toSorted(),
    'containerRuntime.type': kubernetes.containerRuntime.type,
    // Where they lie on this machine says nothing.
    patches: kubernetes.patches !== undefined,
  };
  return prefixed('kubernetes', fields, FREE);
}

/** What a second run applies, what was for the first one alone, or what is settled by another name. */
const FREE = new Set([
  'dnsDomain',
  'containerRuntime',
  'autoRenewCerts',
  'kata',
  'nodeFeatureDiscovery',
  'ignorePreflightErrors',
]);

function etcdFields({ etcd, hosts }: Cluster): object {
  switch (etcd.type) {
    case 'kubeadm':
      return prefixed('etcd', { ...etcd, version: etcd.version ?? null }, new Set(['backup']));
    case 'kubexm':
      return {
        'etcd.type': etcd.type,
        'etcd.dataDir': etcd.dataDir,
        'roleGroups.etcd': hosts
          .filter(({ roles }) => roles.includes('etcd'))
          .map(({ name, internalAddresses: [address] }) => `${name} ${address}`)
          .toSorted(),
      };
    case 'external':
      return {
        'etcd.type': etcd.type,
        'etcd.external.endpoints': etcd.endpoints.toSorted(),
        'etcd.external.certFile': [etcd.caFile, etcd.certFile, etcd.keyFile].map((file) => file !== undefined),
      };
  }
}

function endpointFields({ endpoint: { domain, port, external, internal } }: Cluster) {
  const shared = internal.type === 'kube-vip' ? internal.address : undefined;
  return {
    'controlPlaneEndpoint.domain': domain,
    'controlPlaneEndpoint.port': port,
    'controlPlaneEndpoint.lb_address': shared ?? (external.type === 'none' ? null : (external.address ?? null)),
  };
}

const prefixed = (block: string, fields: object, left: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (left.has(name) ? [] : [[`${block}.${name}`, value]])),
  );

const sumOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex').slice(0, 16);

/** As it is noted on a host: a field and its sum on each line. */
export const settledText = (settled: Settled): string =>
  Object.entries(settled)
    .map(([name, sum]) => `${name} ${sum}\n`)
    .join('');

export const readSettled = (text: string): Settled =>
  Object.fromEntries([...text.matchAll(/^(\S+) ([0-9a-f]+)$/gm)].map(([, name = '', sum = '']) => [name, sum]));

/** Names of fields that are no longer what they were; those that only one side knows do not count. */
export const changedFields = (before: Settled, now: Settled): readonly string[] =>
  Object.keys(now).filter((name) => before[name] !== undefined && before[name] !== now[name]);
