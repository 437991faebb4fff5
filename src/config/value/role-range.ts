/** What an entry of a role group stands for. */
export type RoleRange =
  { readonly type: 'names'; readonly names: readonly string[] } | { readonly type: 'fault'; readonly message: string };

/** More than any cluster has, and few enough to write out. */
const MAX_HOSTS = 10_000;

/** `node[5:7]` is node5, node6, node7; `node[08:10]` keeps its zeros; a plain name is itself. */
export function expandRange(entry: string): RoleRange {
  const [, before = '', from = '', to = '', after = ''] = RANGE.exec(entry) ?? [];
  if (from === '')
    return /[[\]]/.test(entry) ? fault('is no range; write it as node[1:3]') : { type: 'names', names: [entry] };
  const [first, last] = [Number(from), Number(to)];
  if (first > last) return fault(`runs backwards; write ${before}[${to}:${from}]${after}`);
  if (last - first >= MAX_HOSTS) return fault(`names more than ${MAX_HOSTS} hosts`);
  const width = from.startsWith('0') ? from.length : 0;
  const nameOf = (number: number) => `${before}${String(number).padStart(width, '0')}${after}`;
  return { type: 'names', names: Array.from({ length: last - first + 1 }, (_, index) => nameOf(first + index)) };
}

/** All entries of a group, which together name no more hosts than one range may. */
export function expandGroup(entries: readonly string[]): readonly RoleRange[] {
  const known = expanded.get(entries);
  if (known) return known;
  let total = 0;
  const ranges = entries.map((entry): RoleRange => {
    if (total > MAX_HOSTS) return TOO_MANY;
    const range = expandRange(entry);
    total += range.type === 'names' ? range.names.length : 0;
    return total > MAX_HOSTS ? TOO_MANY : range;
  });
  expanded.set(entries, ranges);
  return ranges;
}

/** Every rule asks, for every host: a group is expanded once. */
const expanded = new WeakMap<readonly string[], readonly RoleRange[]>();

const RANGE = /^([^[\]]*)\[\s*(\d{1,9})\s*[:-]\s*(\d{1,9})\s*\]([^[\]]*)$/;
const fault = (message: string): RoleRange => ({ type: 'fault', message });
const TOO_MANY = fault(`names more than ${MAX_HOSTS} hosts, together with those before it`);
