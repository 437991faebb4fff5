/** How two texts differ, as `diff -u` tells it; empty when they do not. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const marked = mark(linesOf(before), linesOf(after));
  return [`--- ${path}`, `+++ ${path}`, ...hunks(marked)].join('\n');
}

/** A line that stays, goes or comes. */
type Marked = readonly [mark: ' ' | '-' | '+', line: string];

const CONTEXT = 3;
const LARGE = 4_000_000;

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function mark(before: readonly string[], after: readonly string[]): readonly Marked[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const stays = (lines: readonly string[]) => lines.map((line): Marked => [' ', line]);
  return [
    ...stays(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...stays(before.slice(before.length - tail)),
  ];
}

/** By the longest common subsequence; texts too large for its table are told as wholly replaced. */
function middle(before: readonly string[], after: readonly string[]): readonly Marked[] {
  const gone = before.map((line): Marked => ['-', line]);
  const come = after.map((line): Marked => ['+', line]);
  if (before.length * after.length > LARGE) return [...gone, ...come];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const marked: Marked[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, young] = [before[row], after[column]];
    if (old !== undefined && old === young) [row, column] = [row + 1, column + 1, marked.push([' ', old])];
    else if (old !== undefined && (young === undefined || at(row + 1, column) >= at(row, column + 1)))
      [row] = [row + 1, marked.push(['-', old])];
    else [column] = [column + 1, marked.push(['+', young ?? ''])];
  }
  return marked;
}

function hunks(marked: readonly Marked[]): readonly string[] {
  const near = marked.map((_, place) =>
    marked.slice(Math.max(0, place - CONTEXT), place + CONTEXT + 1).some(([sign]) => sign !== ' '),
  );
  const out: string[] = [];
  const line = { old: 1, young: 1 };
  for (let place = 0; place < marked.length;) {
    if (!near[place]) {
      place++;
      line.old++;
      line.young++;
      continue;
    }
    const stop = near.indexOf(false, place);
    const part = marked.slice(place, stop < 0 ? undefined : stop);
    const olds = part.filter(([sign]) => sign !== '+').length;
    const youngs = part.filter(([sign]) => sign !== '-').length;
    out.push(`@@ -${range(line.old, olds)} +${range(line.young, youngs)} @@`);
    out.push(...part.map(([sign, text]) => sign + text));
    line.old += olds;
    line.young += youngs;
    place += part.length;
  }
  return out;
}

const range = (start: number, count: number) => {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? String(start) : `${start},${count}`;
};
