import table from '../data/feature-gates.json' with { type: 'json' };

/** The state of a feature gate in a Kubernetes release. */
export type GateState =
  | { readonly type: 'available' }
  | { readonly type: 'removed'; readonly since: string }
  | { readonly type: 'not-yet'; readonly since: string }
  | { readonly type: 'unknown' }
  /** The release is not in the table. */
  | { readonly type: 'not-recorded' };

/**
 * Looks up a feature gate. Assumes that a release newer than the table has at least the gates of the newest release in
 * it.
 */
export function gateState(name: string, minor: number): GateState {
  const [oldest, newest] = [minorNumber(table.minors[0] ?? ''), minorNumber(table.minors.at(-1) ?? '')];
  if (minor < oldest) return { type: 'not-recorded' };
  const entry = Object.entries<readonly string[]>(table.gates).find(([gate]) => gate === name);
  if (entry === undefined) return { type: minor > newest ? 'not-recorded' : 'unknown' };
  const [first = 0, last = 0] = entry[1].map(minorNumber);
  if (minor < first) return { type: 'not-yet', since: `1.${first}` };
  if (minor > last && last < newest) return { type: 'removed', since: `1.${last + 1}` };
  return { type: 'available' };
}

/** Returns the feature gates of a release. */
export const gatesOf = (minor: number): readonly string[] =>
  Object.keys(table.gates).filter((name) => gateState(name, minor).type === 'available');

const minorNumber = (text: string) => Number(text.split('.')[1]);
