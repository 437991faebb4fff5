import { readApplied, type AppliedState } from '../../config/model/applied.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { readAppliedState } from '../../state/cluster-state.ts';
import { listRemovedHosts } from '../../state/removed-hosts.ts';
import { listRuns } from '../../state/runs.ts';
import { memberOn, type EtcdMember } from '../../step/etcd/members.ts';
import { compareEtcdMembers } from '../probe/etcd-members.ts';
import { reachedHosts, type HealthInput, type HealthResult } from '../health/check.ts';
import { certificatesOf } from '../health/checks/certificates.ts';
import { evaluateHealth, isHealthy } from '../health/evaluate.ts';
import { joinNodes, type NodeRow } from './list-nodes.ts';
import { probeCluster } from '../probe/probe-cluster.ts';
import { readRun, type RunStatus } from '../history/read-run.ts';
import type { Session } from '../session/session.ts';

/** The details of a cluster. */
export interface ClusterDescription {
  readonly cluster: Cluster;
  readonly status: 'Ready' | 'Unhealthy' | 'Unreachable';
  readonly nodes: readonly NodeRow[];
  /** The versions that nodes report; empty if no API server responded. */
  readonly versions: readonly string[];
  readonly runtimes: readonly string[];
  readonly created: Date | undefined;
  readonly etcd: readonly EtcdMemberRow[];
  readonly certificates: readonly CertificateRow[];
  readonly applied: AppliedState | undefined;
  readonly lastOperation: Operation | undefined;
  readonly conditions: readonly HealthResult[];
  /** Hosts that were removed from the cluster without being reset. */
  readonly removedHosts: readonly string[];
  readonly at: Date;
}

/** An etcd member. Part of the JSON output. */
export interface EtcdMemberRow {
  readonly host: string;
  readonly healthy: boolean;
  /** Its status, or why it did not respond. */
  readonly said: string;
  readonly leads: boolean;
  readonly version: string | undefined;
  readonly sizeBytes: number | undefined;
  /** Its ID in hexadecimal; undefined if no member listed it. */
  readonly id: string | undefined;
  readonly learner: boolean;
  readonly inFile: boolean;
}

/** A certificate on a host. Part of the JSON output. */
export interface CertificateRow {
  readonly path: string;
  readonly subject: string;
  /** The expiry date. */
  readonly ends: Date;
  /** Whether it is a CA certificate. */
  readonly authority: boolean;
  readonly host: string;
  /** Days until it expires; negative after that. */
  readonly days: number;
}

/** The last run on a cluster. */
export interface Operation {
  readonly id: string;
  readonly command: string;
  readonly status: RunStatus;
  readonly at: Date | undefined;
}

/** Options for describing a cluster. */
export interface DescribeOptions {
  readonly workdir: string;
  /** Selects the cluster on a command line: "-c prod". */
  readonly clusterFlag: string;
  readonly signal: AbortSignal;
}

/** Collects all details. Leaves out what cannot be read, so it also works on a degraded cluster. Read-only. */
export async function describeCluster(
  session: Session,
  { workdir, clusterFlag, signal }: DescribeOptions,
): Promise<ClusterDescription> {
  const { cluster } = session;
  const [probe, text, lastOperation, removedHosts] = await Promise.all([
    probeCluster(session, signal),
    readAppliedState(workdir, cluster.name),
    lastOperationOf(workdir, cluster.name),
    listRemovedHosts({ workdir, cluster: cluster.name }),
  ]);
  const input: HealthInput = { ...probe, cluster, clusterFlag, removedHosts };
  const conditions = evaluateHealth(input);
  const { kubernetes } = probe;
  const nodes = kubernetes.master === undefined ? undefined : kubernetes.nodes;
  const applied = readApplied(text);
  return {
    cluster,
    status: !nodes ? 'Unreachable' : isHealthy(conditions) ? 'Ready' : 'Unhealthy',
    nodes: joinNodes(cluster, nodes),
    versions: distinct(nodes?.map(({ version }) => version)),
    runtimes: distinct(nodes?.map(({ runtime }) => runtime.replace('://', ' v'))),
    created: kubernetes.master === undefined ? applied && new Date(applied.created) : kubernetes.created,
    etcd: etcdMembers(input),
    certificates: certificateRows(input),
    applied,
    lastOperation,
    conditions,
    removedHosts,
    at: probe.at,
  };
}

async function lastOperationOf(workdir: string, cluster: string): Promise<Operation | undefined> {
  const [id] = await listRuns(workdir, cluster);
  if (id === undefined) return undefined;
  const { info, pipeline, status, started } = await readRun(workdir, cluster, id);
  return { id, command: info?.command ?? pipeline, status, at: started };
}

const distinct = (texts: readonly string[] = []) => [...new Set(texts)].filter(Boolean).sort();

/** The members on hosts that could be reached, then those without a host in the cluster file. */
function etcdMembers(input: HealthInput): readonly EtcdMemberRow[] {
  const { cluster, etcdMembers: listed } = input;
  const { missing, stale } = compareEtcdMembers(cluster, listed);
  const onHosts = reachedHosts(input).flatMap(({ host, etcd }) => {
    if (!etcd || missing.includes(host)) return [];
    const { ok: healthy, detail: said, isLeader: leads, version, sizeBytes } = etcd;
    const member = memberOn(listed ?? [], host);
    const learner = member?.isLearner ?? false;
    return [{ host: host.name, healthy, said, leads, version, sizeBytes, id: member?.id, learner, inFile: true }];
  });
  return [...onHosts, ...stale.map(staleRow)];
}

const staleRow = ({ id, name, peerUrls: [url = ''], isHealthy: healthy, isLearner: learner }: EtcdMember) => ({
  host: name || url.replace(/^https?:\/\/(.+):\d+$/, '$1'),
  healthy,
  said: healthy ? 'healthy' : 'does not respond',
  leads: false,
  version: undefined,
  sizeBytes: undefined,
  id,
  learner,
  inFile: false,
});

const certificateRows = (input: HealthInput): readonly CertificateRow[] =>
  certificatesOf(input).map(({ path, subject, expires: ends, isCA: authority, host, days }) => ({
    path,
    subject,
    ends,
    authority,
    host,
    days,
  }));
