/** Compares two texts and returns the diff in `diff -u` format; empty if they are equal. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const marked = mark(linesOf(before), linesOf(after));
  return [`--- ${path}`, `+++ ${path}`, ...hunks(marked)].join('\n');
}

/** An unchanged, removed or added line. */
type Marked = readonly [mark: ' ' | '-' | '+', line: string];

const CONTEXT = 3;
const MAX_TABLE = 4_000_000;

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
  const maxTail = Math.min(before.length, after.length) - head;
  while (tail < maxTail && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const unchanged = (lines: readonly string[]) => lines.map((line): Marked => [' ', line]);
  return [
    ...unchanged(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...unchanged(before.slice(before.length - tail)),
  ];
}

/** Uses the longest common subsequence; texts too large for its table are shown as replaced entirely. */
function middle(before: readonly string[], after: readonly string[]): readonly Marked[] {
  const removed = before.map((line): Marked => ['-', line]);
  const added = after.map((line): Marked => ['+', line]);
  if (before.length * after.length > MAX_TABLE) return [...removed, ...added];
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
    const [oldLine, newLine] = [before[row], after[column]];
    if (oldLine !== undefined && oldLine === newLine)
      [row, column] = [row + 1, column + 1, marked.push([' ', oldLine])];
    else if (oldLine !== undefined && (newLine === undefined || at(row + 1, column) >= at(row, column + 1)))
      [row] = [row + 1, marked.push(['-', oldLine])];
    else [column] = [column + 1, marked.push(['+', newLine ?? ''])];
  }
  return marked;
}

function hunks(marked: readonly Marked[]): readonly string[] {
  const isNear = marked.map((_, index) =>
    marked.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(([sign]) => sign !== ' '),
  );
  const out: string[] = [];
  const line = { before: 1, after: 1 };
  for (let index = 0; index < marked.length;) {
    if (!isNear[index]) {
      index++;
      line.before++;
      line.after++;
      continue;
    }
    const stop = isNear.indexOf(false, index);
    const part = marked.slice(index, stop < 0 ? undefined : stop);
    const linesBefore = part.filter(([sign]) => sign !== '+').length;
    const linesAfter = part.filter(([sign]) => sign !== '-').length;
    out.push(`@@ -${range(line.before, linesBefore)} +${range(line.after, linesAfter)} @@`);
    out.push(...part.map(([sign, text]) => sign + text));
    line.before += linesBefore;
    line.after += linesAfter;
    index += part.length;
  }
  return out;
}

const range = (start: number, count: number) => {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? String(start) : `${start},${count}`;
};
