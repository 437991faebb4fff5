/** What an entry of a role group stands for. */
export type RoleRange =
  { readonly type: 'names'; readonly names: readonly string[] } | { readonly type: 'fault'; readonly message: string };

/** `node[5:7]` is node5, node6, node7; `node[08:10]` keeps its zeros; a plain name is itself. */
export function expandRange(entry: string): RoleRange {
  const [, before = '', from = '', to = '', after = ''] =
    /^([^[\]]*)\[\s*(\d+)\s*[:-]\s*(\d+)\s*\]([^[\]]*)$/.exec(entry) ?? [];
  if (from === '') {
    if (/[[\]]/.test(entry)) return fault('is no range; write it as node[1:3]');
    return { type: 'names', names: [entry] };
  }
  const [first, last] = [Number(from), Number(to)];
  if (first > last) return fault(`runs backwards; write ${before}[${to}:${from}]${after}`);
  if (last - first >= MAX_HOSTS) return fault(`names more than ${MAX_HOSTS} hosts`);
  const width = from.startsWith('0') ? from.length : 0;
  const names = Array.from(
    { length: last - first + 1 },
    (_, index) => `${before}${String(first + index).padStart(width, '0')}${after}`,
  );
  return { type: 'names', names };
}

const MAX_HOSTS = 10_000;
const fault = (message: string): RoleRange => ({ type: 'fault', message });
