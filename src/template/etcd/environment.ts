import type { ClusterHost, ManagedEtcd } from '../../config/model/cluster.ts';
import { minorOf } from '../../config/model/version.ts';
import { bracketIPv6 } from '../../util/address.ts';

/** An etcd member and how it joins its cluster. */
export interface EtcdMember {
  readonly etcd: ManagedEtcd;
  readonly version: string;
  readonly host: ClusterHost;
  /** All members of the cluster, including this one. */
  readonly members: readonly ClusterHost[];
  /** "name=url,…" of the members of a running cluster, which can differ from `members`. */
  readonly initialCluster?: string;
  /** Distinguishes clusters with the same addresses. */
  readonly token: string;
  readonly state: 'new' | 'existing';
  readonly files: EtcdFiles;
}

/** Paths of the certificates of a member. */
export interface EtcdFiles {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  readonly peerCertificate: string;
  readonly peerKey: string;
}

/**
 * The environment file of etcd. It is used instead of a configuration file, because with a configuration file etcd
 * ignores all flags, including those of the user.
 */
export function etcdEnvironment(member: EtcdMember): string {
  const flags = { ...memberFlags(member), ...tlsFlags(member.files), ...tuningFlags(member), ...member.etcd.extraArgs };
  const lines = Object.entries(flags).map(([name, value]) => `${variable(name)}=${quoted(value)}\n`);
  return `# Written by kubexm.\n${lines.join('')}`;
}

export const clientUrl = ({ internalAddresses: [address] }: ClusterHost): string =>
  `https://${bracketIPv6(address)}:2379`;
export const peerUrl = ({ internalAddresses: [address] }: ClusterHost): string =>
  `https://${bracketIPv6(address)}:2380`;

const variable = (flag: string) => `ETCD_${flag.toUpperCase().replaceAll('-', '_')}`;

/** Quotes a value for systemd: in double quotes, with " and \ escaped. */
const quoted = (value: string) =>
  /^[\w.,:/=@+-]*$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

const memberFlags = ({ etcd, host, members, initialCluster, token, state }: EtcdMember) => ({
  name: host.name,
  'data-dir': etcd.dataDir,
  'listen-client-urls': `${clientUrl(host)},https://127.0.0.1:2379`,
  'advertise-client-urls': clientUrl(host),
  'listen-peer-urls': peerUrl(host),
  'initial-advertise-peer-urls': peerUrl(host),
  'initial-cluster': initialCluster ?? members.map((each) => `${each.name}=${peerUrl(each)}`).join(','),
  'initial-cluster-token': token,
  'initial-cluster-state': state,
  // For health probes without a client certificate, on loopback only.
  'listen-metrics-urls': 'http://127.0.0.1:2381',
});

const tlsFlags = ({ ca, certificate, key, peerCertificate, peerKey }: EtcdFiles) => ({
  'trusted-ca-file': ca,
  'cert-file': certificate,
  'key-file': key,
  'client-cert-auth': 'true',
  'peer-trusted-ca-file': ca,
  'peer-cert-file': peerCertificate,
  'peer-key-file': peerKey,
  'peer-client-cert-auth': 'true',
  'tls-min-version': 'TLS1.2',
});

const tuningFlags = ({ etcd, version }: EtcdMember) => ({
  'heartbeat-interval': `${etcd.heartbeatInterval}`,
  'election-timeout': `${etcd.electionTimeout}`,
  'snapshot-count': `${etcd.snapshotCount}`,
  'auto-compaction-mode': 'periodic',
  'auto-compaction-retention': `${etcd.autoCompactionRetention}`,
  metrics: etcd.metrics,
  'quota-backend-bytes': `${etcd.quotaBackendBytes}`,
  'max-request-bytes': `${etcd.maxRequestBytes}`,
  'max-snapshots': `${etcd.maxSnapshots}`,
  'max-wals': `${etcd.maxWals}`,
  'log-level': etcd.logLevel,
  ...(minorOf(version) >= 6
    ? { 'feature-gates': 'InitialCorruptCheck=true', 'watch-progress-notify-interval': '5s' }
    : {
        'experimental-initial-corrupt-check': 'true',
        'experimental-watch-progress-notify-interval': '5s',
      }),
});
