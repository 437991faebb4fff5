import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/util/unified-diff.ts';

it('shows what goes and what comes, with three lines around', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(unifiedDiff('/etc/x', before, before.replace('e\n', 'E\nE2\n'))).toBe(
    ['--- /etc/x', '+++ /etc/x', '@@ -2,7 +2,8 @@', ' b', ' c', ' d', '-e', '+E', '+E2', ' f', ' g', ' h'].join('\n'),
  );
});

it('says nothing of equal texts, and all of a new one', () => {
  expect(unifiedDiff('/x', 'a\n', 'a\n')).toBe('');
  expect(unifiedDiff('/x', '', 'a\nb\n')).toBe('--- /x\n+++ /x\n@@ -0,0 +1,2 @@\n+a\n+b');
});

it('leads from the one text to the other, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .chain((lines) => fc.boolean().map((end) => lines.join('\n') + (end ? '\n' : '')));
  fc.assert(fc.property(text, text, (before, after) => patched(before, unifiedDiff('file', before, after)) === after));
});

/** Does what patch(1) does. */
function patched(text: string, diff: string): string {
  if (diff === '') return text;
  const lines = text.split(/(?<=\n)/);
  const out: string[] = [];
  let place = 0;
  for (const hunk of diff.split(/^@@ /m).slice(1)) {
    const [, start = '0', count = '1'] = /^-(\d+)(?:,(\d+))?/.exec(hunk) ?? [];
    while (place < Number(start) - (count === '0' ? 0 : 1)) out.push(lines[place++] ?? '');
    const body = hunk.slice(hunk.indexOf('\n') + 1).replace(/(?<!\n)$/, '\n');
    for (const [, sign, line = '', cut] of body.matchAll(/^([ +-])(.*)\n(\\ No newline at end of file\n)?/gm)) {
      if (sign !== '+') expect(lines[place++]).toBe(line + (cut ? '' : '\n'));
      if (sign !== '-') out.push(line + (cut ? '' : '\n'));
    }
  }
  return [...out, ...lines.slice(place)].join('');
}
