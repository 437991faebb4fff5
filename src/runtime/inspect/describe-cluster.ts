import { readApplied, type AppliedState } from '../../config/model/applied.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { readAppliedState } from '../../state/cluster-state.ts';
import { listRuns } from '../../state/runs.ts';
import type { HealthResult, HealthScene } from '../health/check.ts';
import { certificatesOf } from '../health/checks/certificates.ts';
import { isHealthy, judgeHealth } from '../health/evaluate.ts';
import { joinNodes, type NodeRow } from './list-nodes.ts';
import { lookAtCluster } from '../probe/probe-cluster.ts';
import { readRun, type RunStatus } from '../history/read-run.ts';
import type { Session } from '../session/session.ts';

/** All there is to know of a cluster. */
export interface ClusterDescription {
  readonly cluster: Cluster;
  readonly status: 'Ready' | 'Unhealthy' | 'Unreachable';
  readonly nodes: readonly NodeRow[];
  /** The Kubernetes and the runtime that nodes really have; empty when nobody answers. */
  readonly versions: readonly string[];
  readonly runtimes: readonly string[];
  readonly created: Date | undefined;
  readonly etcd: readonly EtcdMemberRow[];
  readonly certificates: ReturnType<typeof certificatesOf>;
  readonly applied: AppliedState | undefined;
  readonly lastOperation: Operation | undefined;
  readonly conditions: readonly HealthResult[];
  readonly at: Date;
}

/** A member of etcd, as it answered. */
export interface EtcdMemberRow {
  readonly host: string;
  readonly healthy: boolean;
  readonly said: string;
  readonly leads: boolean;
  readonly version: string | undefined;
  readonly sizeBytes: number | undefined;
}

/** What was last done to a cluster. */
export interface Operation {
  readonly id: string;
  readonly command: string;
  readonly status: RunStatus;
  readonly at: Date | undefined;
}

/** Looks at everything once. What cannot be asked is left open; nothing is changed. */
export async function describeCluster(
  session: Session,
  { workdir, named, signal }: { readonly workdir: string; readonly named: string; readonly signal: AbortSignal },
): Promise<ClusterDescription> {
  const { cluster } = session;
  const [look, text, lastOperation] = await Promise.all([
    lookAtCluster(session, signal),
    readAppliedState(workdir, cluster.name),
    lastOperationOf(workdir, cluster.name),
  ]);
  const scene: HealthScene = { ...look, cluster, named };
  const conditions = judgeHealth(scene);
  const { kubernetes } = look;
  const seen = kubernetes.master === undefined ? undefined : kubernetes.nodes;
  const applied = readApplied(text);
  return {
    cluster,
    status: !seen ? 'Unreachable' : isHealthy(conditions) ? 'Ready' : 'Unhealthy',
    nodes: joinNodes(cluster, seen),
    versions: distinct(seen?.map(({ version }) => version)),
    runtimes: distinct(seen?.map(({ runtime }) => runtime.replace('://', ' v'))),
    created: kubernetes.master === undefined ? applied && new Date(applied.created) : kubernetes.created,
    etcd: membersOf(scene),
    certificates: certificatesOf(scene),
    applied,
    lastOperation,
    conditions,
    at: look.at,
  };
}

async function lastOperationOf(workdir: string, cluster: string): Promise<Operation | undefined> {
  const [id] = await listRuns(workdir, cluster);
  if (id === undefined) return undefined;
  const { info, pipeline, status, started } = await readRun(workdir, cluster, id);
  return { id, command: info?.command ?? pipeline, status, at: started };
}

const distinct = (texts: readonly string[] = []) => [...new Set(texts)].filter(Boolean).sort();

const membersOf = ({ hosts }: HealthScene): readonly EtcdMemberRow[] =>
  hosts.flatMap((look) => {
    if (look.type === 'unseen' || !look.etcd) return [];
    const { ok: healthy, said, leads, version, sizeBytes } = look.etcd;
    return [{ host: look.host.name, healthy, said, leads, version, sizeBytes }];
  });
