import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

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

it('is understood by patch(1), whatever the texts are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .chain((lines) => fc.boolean().map((end) => lines.join('\n') + (end ? '\n' : '')));
  const file = join(folder, 'file');
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff('file', before, after);
      if (diff === '') return before === after;
      writeFileSync(file, before);
      execFileSync('patch', ['--quiet', '--unified', file], { input: `${diff}\n` });
      return execFileSync('sh', ['-c', `cat ${file} 2>/dev/null || true`], { encoding: 'utf8' }) === after;
    }),
    { numRuns: 60 },
  );
});
