import { createHash } from 'node:crypto';
import type { Cluster } from './cluster.ts';

/** Sums of fields of the cluster file, by the names that the file has for them. */
export type Settled = Readonly<Record<string, string>>;

/**
 * What is settled when a cluster is made: creating it again does not change it. As sums, since flags may hold what others
 * must not see.
 */
export function settledFields({ kubernetes, etcd, network, endpoint }: Cluster): Settled {
  const fields = {
    ...prefixed('kubernetes', kubernetes),
    'kubernetes.clusterName': kubernetes.dnsDomain,
    'kubernetes.containerRuntime.type': kubernetes.containerRuntime.type,
    ...(etcd.type === 'kubeadm' ? prefixed('etcd', etcd) : { 'etcd.type': etcd.type }),
    'network.plugin': network.plugin.type,
    'network.kubePodsCIDR': network.podCidrs,
    'network.kubeServiceCIDR': network.serviceCidrs,
    'controlPlaneEndpoint.domain': endpoint.domain,
    'controlPlaneEndpoint.port': endpoint.port,
  };
  const settled = Object.entries(fields).filter(([name]) => !FREE.has(name));
  return Object.fromEntries(settled.map(([name, value]) => [name, sumOf(value)]));
}

/** What a second run applies, or what was for the first one alone. */
const FREE = new Set([
  'kubernetes.dnsDomain',
  'kubernetes.containerRuntime',
  'kubernetes.autoRenewCerts',
  'kubernetes.kata',
  'kubernetes.nodeFeatureDiscovery',
  'kubernetes.ignorePreflightErrors',
]);

const prefixed = (block: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${block}.${name}`, value]));

const sumOf = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 16);

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
