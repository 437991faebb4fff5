import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../config/model/cluster.ts';
import { lookAtCluster } from '../probe/probe-cluster.ts';
import { openSession } from '../session/session.ts';
import type { HealthResult } from './check.ts';
import { isHealthy, judgeHealth } from './evaluate.ts';

/** How the health of a cluster is asked for. */
export interface HealthOptions {
  readonly workdir: string;
  /** How the cluster is named on a command line: "-c prod". */
  readonly named: string;
  /** Ask again until all is well or this time is over; asked once if 0. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Told after each time that not all was well and it is asked again. */
  readonly onWait: (results: readonly HealthResult[]) => void;
}

/** What all checks say of a cluster that runs. Only looks are made: no lock, no journal, and nothing stays on the hosts. */
export async function checkHealth(cluster: Cluster, options: HealthOptions): Promise<readonly HealthResult[]> {
  const { waitMs, signal, onWait } = options;
  const end = Date.now() + waitMs;
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 2, LAST_MS)) {
    const results = await checkOnce(cluster, options);
    const left = end - Date.now();
    if (isHealthy(results) || left <= 0) return results;
    onWait(results);
    await sleep(Math.min(pause, left), undefined, { signal });
  }
}

/** Each time over new connections: whether hosts let us in is a part of the question. */
async function checkOnce(
  cluster: Cluster,
  { workdir, named, signal }: HealthOptions,
): Promise<readonly HealthResult[]> {
  await using session = await openSession(cluster, workdir);
  return judgeHealth({ ...(await lookAtCluster(session, signal)), cluster, named });
}

const FIRST_MS = 1000;
const LAST_MS = 15_000;
