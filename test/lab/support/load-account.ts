/** What one client saw while an operation ran. */
export interface ClientReport {
  readonly requests: number;
  readonly failures: number;
  /** The longest time without a successful response. */
  readonly longestGapSeconds: number;
  /** When the longest gap began, in seconds after the start. */
  readonly gapAtSeconds: number;
  /** The reasons for failures, each with its number. */
  readonly reasons: ReadonlyMap<string, number>;
}

/** One request of a client. Times are in milliseconds of one clock. */
export interface LoadRequest {
  readonly endedAt: number;
  /** Why it failed; undefined if it succeeded. */
  readonly error?: string;
}

/** The time during which a client ran, in milliseconds of the clock of its requests. */
export interface LoadPeriod {
  readonly from: number;
  readonly to: number;
}

/** Counts requests. The time before the first success and after the last one counts as a gap, too. */
export function accountRequests(requests: readonly LoadRequest[], { from, to }: LoadPeriod): ClientReport {
  const failed = requests.flatMap(({ error }) => error ?? []);
  const successes = requests.filter(({ error }) => error === undefined).map(({ endedAt }) => endedAt);
  const times = [from, ...successes.toSorted((one, other) => one - other), to];
  const gaps = times.slice(1).map((time, index) => ({ ms: time - times[index]!, from: times[index]! - from }));
  const longest = gaps.reduce((one, other) => (other.ms > one.ms ? other : one));
  const reasons = new Map<string, number>();
  for (const reason of failed) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return {
    requests: requests.length,
    failures: failed.length,
    longestGapSeconds: longest.ms / 1000,
    gapAtSeconds: longest.from / 1000,
    reasons,
  };
}

/** The names of acknowledged writes that are missing or have another value, by name and value. */
export const lostWrites = (
  acknowledged: ReadonlyMap<string, string>,
  stored: ReadonlyMap<string, string>,
): readonly string[] => [...acknowledged].filter(([name, value]) => stored.get(name) !== value).map(([name]) => name);

/** "412 requests, 2 failed (1 timeout, 1 ECONNRESET), longest gap 1.4 s at 96 s" */
export function clientText({ requests, failures, longestGapSeconds, gapAtSeconds, reasons }: ClientReport): string {
  const why = [...reasons].map(([reason, number]) => `${number} ${reason}`).join(', ');
  return `${requests} requests, ${failures} failed${why && ` (${why})`}, longest gap ${longestGapSeconds.toFixed(1)} s at ${gapAtSeconds.toFixed(0)} s`;
}
