import type { ClusterHost, ManagedEtcd } from '../../config/model/cluster.ts';
import { minorOf } from '../../config/model/version.ts';
import { bracketIPv6 } from '../../util/address.ts';

/** One member, and how it comes into its cluster. */
export interface EtcdMember {
  readonly etcd: ManagedEtcd;
  readonly version: string;
  readonly host: ClusterHost;
  /** All members, itself among them, as the cluster will be when it has joined. */
  readonly members: readonly ClusterHost[];
  /** Tells one cluster from another that has the same addresses. */
  readonly token: string;
  readonly state: 'new' | 'existing';
  readonly files: EtcdFiles;
}

/** Where the certificates of a member are. */
export interface EtcdFiles {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  readonly peerCertificate: string;
  readonly peerKey: string;
}

/**
 * What etcd reads when it starts. Every flag has a variable, so that flags of the user come over ours; with a
 * configuration file etcd would pass over all flags.
 */
export function etcdEnvironment(member: EtcdMember): string {
  const flags = { ...memberFlags(member), ...tlsFlags(member.files), ...tuningFlags(member), ...member.etcd.extraArgs };
  const lines = Object.entries(flags).map(([name, value]) => `${variable(name)}=${quoted(value)}\n`);
  return `# Written by kubexm.\n${lines.join('')}`;
}

export const clientUrl = ({ internalAddresses: [address] }: ClusterHost): string =>
  `https://${bracketIPv6(address)}:2379`;
export const peerUrl = ({ internalAddresses: [address] }: ClusterHost): string => `https://${bracketIPv6(address)}:2380`;

const variable = (flag: string) => `ETCD_${flag.toUpperCase().replaceAll('-', '_')}`;

/** As systemd reads it: a value in double quotes, with the two signs escaped that end it or escape. */
const quoted = (value: string) =>
  /^[\w.,:/=@+-]*$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

const memberFlags = ({ etcd, host, members, token, state }: EtcdMember) => ({
  name: host.name,
  'data-dir': etcd.dataDir,
  'listen-client-urls': `${clientUrl(host)},https://127.0.0.1:2379`,
  'advertise-client-urls': clientUrl(host),
  'listen-peer-urls': peerUrl(host),
  'initial-advertise-peer-urls': peerUrl(host),
  'initial-cluster': members.map((each) => `${each.name}=${peerUrl(each)}`).join(','),
  'initial-cluster-token': token,
  'initial-cluster-state': state,
  // For probes that have no certificate; nobody else reaches it.
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
