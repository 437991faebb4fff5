import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../config/model/cluster.ts';
import { listRemovedHosts } from '../../state/removed-hosts.ts';
import { probeCluster } from '../probe/probe-cluster.ts';
import type { OnNewHostKey } from '../session/connect.ts';
import { openSession } from '../session/session.ts';
import type { HealthResult } from './check.ts';
import { isHealthy, evaluateHealth } from './evaluate.ts';

/** Options for checking cluster health. */
export interface HealthOptions {
  readonly workdir: string;
  /** Selects the cluster on a command line: "-c prod". */
  readonly clusterFlag: string;
  /** Repeat the checks until the cluster is healthy or this time is over; 0 checks once. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Called with the results before each repetition. */
  readonly onWait: (results: readonly HealthResult[]) => void;
  readonly onNewHostKey?: OnNewHostKey;
}

/** Runs all health checks. Read-only: no lock, no journal, and the hosts are left unchanged. */
export async function checkHealth(cluster: Cluster, options: HealthOptions): Promise<readonly HealthResult[]> {
  const { waitMs, signal, onWait } = options;
  const deadline = Date.now() + waitMs;
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const results = await checkOnce(cluster, options);
    const left = deadline - Date.now();
    if (isHealthy(results) || left <= 0) return results;
    onWait(results);
    await sleep(Math.min(pause, left), undefined, { signal });
  }
}

/** Uses new connections each time, because SSH access is part of the check. */
async function checkOnce(
  cluster: Cluster,
  { workdir, clusterFlag, signal, onNewHostKey }: HealthOptions,
): Promise<readonly HealthResult[]> {
  await using session = await openSession(cluster, workdir, onNewHostKey);
  const [probe, removedHosts] = await Promise.all([
    probeCluster(session, signal),
    listRemovedHosts({ workdir, cluster: cluster.name }),
  ]);
  return evaluateHealth({ ...probe, cluster, clusterFlag, removedHosts });
}

const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
