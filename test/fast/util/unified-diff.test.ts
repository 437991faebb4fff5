import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/util/unified-diff.ts';

it('shows removed and added lines with three lines of context', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(unifiedDiff('/etc/x', before, before.replace('e\n', 'E\nE2\n'))).toBe(
    ['--- /etc/x', '+++ /etc/x', '@@ -2,7 +2,8 @@', ' b', ' c', ' d', '-e', '+E', '+E2', ' f', ' g', ' h'].join('\n'),
  );
});

it('is empty for equal texts, and shows all lines of a new file', () => {
  expect(unifiedDiff('/x', 'a\n', 'a\n')).toBe('');
  expect(unifiedDiff('/x', '', 'a\nb\n')).toBe('--- /x\n+++ /x\n@@ -0,0 +1,2 @@\n+a\n+b');
});

it('turns one text into the other when applied as a patch', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .chain((lines) => fc.boolean().map((end) => lines.join('\n') + (end ? '\n' : '')));
  fc.assert(fc.property(text, text, (before, after) => patched(before, unifiedDiff('file', before, after)) === after));
});

/** Applies a diff like patch(1). */
function patched(text: string, diff: string): string {
  if (diff === '') return text;
  const lines = text.split(/(?<=\n)/);
  const out: string[] = [];
  let index = 0;
  for (const hunk of diff.split(/^@@ /m).slice(1)) {
    const [, start = '0', count = '1'] = /^-(\d+)(?:,(\d+))?/.exec(hunk) ?? [];
    while (index < Number(start) - (count === '0' ? 0 : 1)) out.push(lines[index++] ?? '');
    const body = hunk.slice(hunk.indexOf('\n') + 1).replace(/(?<!\n)$/, '\n');
    for (const [, sign, line = '', cut] of body.matchAll(/^([ +-])(.*)\n(\\ No newline at end of file\n)?/gm)) {
      if (sign !== '+') expect(lines[index++]).toBe(line + (cut ? '' : '\n'));
      if (sign !== '-') out.push(line + (cut ? '' : '\n'));
    }
  }
  return [...out, ...lines.slice(index)].join('');
}
