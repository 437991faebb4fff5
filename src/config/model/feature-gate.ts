import table from '../data/feature-gates.json' with { type: 'json' };

/** What a release of Kubernetes knows of a gate. */
export type GateState =
  | { readonly type: 'there' }
  | { readonly type: 'dropped'; readonly since: string }
  | { readonly type: 'not-yet'; readonly since: string }
  | { readonly type: 'unknown' };

/** Looks a gate up by release. A release newer than the table has at least what the newest one had. */
export function gateState(name: string, minor: number): GateState {
  const entry = Object.entries<readonly string[]>(table.gates).find(([gate]) => gate === name);
  const newest = minorNumber(table.minors.at(-1) ?? '');
  if (entry === undefined) return minor > newest ? { type: 'there' } : { type: 'unknown' };
  const [first = 0, last = 0] = entry[1].map(minorNumber);
  if (minor < first) return { type: 'not-yet', since: `1.${first}` };
  if (minor > last && last < newest) return { type: 'dropped', since: `1.${last + 1}` };
  return { type: 'there' };
}

/** Gates that a release has. */
export const gatesOf = (minor: number): readonly string[] =>
  Object.keys(table.gates).filter((name) => gateState(name, minor).type === 'there');

const minorNumber = (text: string) => Number(text.split('.')[1]);
