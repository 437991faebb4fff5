import { fail } from '../../common/errors/errors.ts';
import { awaitOrphans, STILL_RUNNING } from '../../connector/orphaned-scripts.ts';
import type { Connector } from '../../connector/connector.ts';

/** How to wait for an earlier run. */
export interface WaitOptions {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly limitMs?: number;
}

/**
 * Waits for commands that an interrupted run left running on a host, because checking their result too early would repeat
 * them. Fails with EARLIER_STILL_RUNS if one does not finish in time.
 */
export async function awaitEarlierRun(
  connector: Pick<Connector, 'host' | 'query' | 'rootFolders'>,
  cluster: string,
  { signal, say, limitMs = 1_800_000 }: WaitOptions,
): Promise<void> {
  const started = Date.now();
  for (let nextReport = 0; ;) {
    const { exit, stdout } = await connector.query(awaitOrphans(cluster, connector.rootFolders), { signal });
    if (exit !== STILL_RUNNING) return;
    const pid = stdout.trim();
    const waited = Date.now() - started;
    if (waited >= limitMs)
      throw fail('EARLIER_STILL_RUNS', { host: connector.host, pid, minutes: Math.round(limitMs / 60_000) });
    if (waited < nextReport) continue;
    say(`waiting for process ${pid}, started by an earlier run`);
    nextReport = waited + REPORT_INTERVAL_MS;
  }
}

const REPORT_INTERVAL_MS = 20_000;
