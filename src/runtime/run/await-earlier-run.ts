import { fail } from '../../common/errors/errors.ts';
import { awaitFamily, STILL_RUNS } from '../../connector/orphaned-scripts.ts';
import type { Connector } from '../../connector/connector.ts';

/** How long is waited, and who hears of it. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly limitMs?: number;
}

/**
 * Waits for what an earlier run began on a host and did not see the end of: looked at too early it would be done again.
 * EARLIER_STILL_RUNS names what does not end.
 */
export async function awaitEarlier(
  way: Pick<Connector, 'host' | 'look'>,
  cluster: string,
  { signal, say, limitMs = 1_800_000 }: Waiting,
): Promise<void> {
  const started = Date.now();
  for (let next = 0; ;) {
    const { exit, stdout } = await way.query(awaitFamily(cluster), { signal });
    if (exit !== STILL_RUNS) return;
    const pid = stdout.trim();
    const waited = Date.now() - started;
    if (waited >= limitMs)
      throw fail('EARLIER_STILL_RUNS', { host: way.host, pid, minutes: Math.round(limitMs / 60_000) });
    if (waited < next) continue;
    say(`waiting for what an earlier run began here, process ${pid}`);
    next = waited + TOLD_AGAIN_MS;
  }
}

const TOLD_AGAIN_MS = 20_000;
