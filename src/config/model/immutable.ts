import { createHash } from 'node:crypto';
import { sortKeys } from '../../common/json.ts';
import type { Cluster } from './cluster.ts';

/** Checksums of field values, by field name in the cluster file. */
export type ImmutableFields = Readonly<Record<string, string>>;

/** The field with the etcd members, which only `add nodes` and `delete nodes` change. */
export const ETCD_MEMBERS = 'roleGroups.etcd';

/**
 * Returns the fields that cannot be changed after the cluster has been created, as checksums, because flags can contain
 * secrets.
 */
export function immutableFields(cluster: Cluster): ImmutableFields {
  const fields = known.get(cluster) ?? computeFields(cluster);
  known.set(cluster, fields);
  return fields;
}

/** Every host compares them, so they are computed once per cluster. */
const known = new WeakMap<Cluster, ImmutableFields>();

function computeFields(cluster: Cluster): ImmutableFields {
  const { network } = cluster;
  const fields = {
    ...kubernetesFields(cluster),
    ...etcdFields(cluster),
    ...endpointFields(cluster),
    'network.plugin': network.plugin.type,
    'network.kubePodsCIDR': network.podCidrs,
    'network.kubeServiceCIDR': network.serviceCidrs,
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, checksumOf(value)]));
}

function kubernetesFields({ kubernetes }: Cluster) {
  const fields = {
    ...kubernetes,
    clusterName: kubernetes.dnsDomain,
    apiserverCertExtraSans: kubernetes.apiserverCertExtraSans.toSorted(),
    'apiserver.extraArgs.secure-port': kubernetes.apiserver.extraArgs['secure-port'] ?? null,
    'containerRuntime.type': kubernetes.containerRuntime.type,
    // The local path of the patches does not affect the cluster.
    patches: kubernetes.patches !== undefined,
  };
  return prefixed('kubernetes', fields, MUTABLE);
}

/** Fields that later runs apply, that affect only the first run, or that are listed under another name. */
const MUTABLE = new Set([
  'audit',
  'encryptionAtRest',
  'apiserver',
  'controllerManager',
  'scheduler',
  'kubeletConfiguration',
  'maxPods',
  'podPidsLimit',
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
        [ETCD_MEMBERS]: etcdMembersOf(hosts),
      };
    case 'external':
      return {
        'etcd.type': etcd.type,
        'etcd.external.endpoints': etcd.endpoints.toSorted(),
        'etcd.external.certFile': [etcd.caFile, etcd.certFile, etcd.keyFile].map((file) => file !== undefined),
      };
  }
}

/** Returns the etcd members in the cluster file, as "name address" in alphabetical order. */
export const etcdMembersOf = (hosts: Cluster['hosts']): readonly string[] =>
  hosts
    .filter(({ roles }) => roles.includes('etcd'))
    .map(({ name, internalAddresses: [address] }) => `${name} ${address}`)
    .toSorted();

function endpointFields({ endpoint: { domain, port, external, internal } }: Cluster) {
  const virtualIp = internal.type === 'kube-vip' ? internal.address : undefined;
  return {
    'controlPlaneEndpoint.domain': domain,
    'controlPlaneEndpoint.port': port,
    'controlPlaneEndpoint.lb_address': virtualIp ?? (external.type === 'none' ? null : (external.address ?? null)),
  };
}

const prefixed = (block: string, fields: object, excluded: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (excluded.has(name) ? [] : [[`${block}.${name}`, value]])),
  );

const checksumOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex').slice(0, 16);

/** Formats the fields for the file on a host, with one field and its checksum per line. */
export const formatImmutable = (fields: ImmutableFields): string =>
  Object.entries(fields)
    .map(([name, checksum]) => `${name} ${checksum}\n`)
    .join('');

export const parseImmutable = (text: string): ImmutableFields =>
  Object.fromEntries(
    [...text.matchAll(/^(\S+) ([0-9a-f]+)$/gm)].map(([, name = '', checksum = '']) => [name, checksum]),
  );

/**
 * Returns the names of fields with different values. Ignores fields that only one side has, because kubexm versions
 * record different fields.
 */
export function changedFields(before: ImmutableFields, cluster: Cluster): readonly string[] {
  const now = immutableFields(cluster);
  const former = formerFields(cluster);
  return Object.keys(now).filter(
    (name) => before[name] !== undefined && before[name] !== now[name] && before[name] !== former[name],
  );
}

/** Returns the fields as recorded by earlier versions of kubexm, which kept the trailing slash of directories. */
const formerFields = ({ etcd }: Cluster): ImmutableFields =>
  etcd.type === 'external' ? {} : { 'etcd.dataDir': checksumOf(`${etcd.dataDir}/`) };
