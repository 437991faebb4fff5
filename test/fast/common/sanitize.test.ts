import { expect, it } from 'vitest';
import { safeJson, sanitize, sanitizeColored } from '../../../src/common/sanitize.ts';
import { Secret } from '../../../src/common/secret.ts';

it.each([
  ['sets the clipboard (OSC 52)', 'a\x1b]52;c;cm0gLXJmIC8=\x07b', 'ab'],
  ['sets the window title (OSC 0)', 'a\x1b]0;title\x1b\\b', 'ab'],
  ['makes a link (OSC 8)', '\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['moves the cursor (CSI)', 'a\x1b[2J\x1b[1;1Hb', 'ab'],
  ['uses C1 controls', 'a\x9b2Jb\x9d0;t\x9cc', 'abc'],
  ['sends a device string (DCS)', 'a\x1bP1;2qdata\x1b\\b', 'ab'],
  ['resets the terminal', 'a\x1bcb', 'ab'],
  ['changes the character set', 'a\x1b(0b', 'ab'],
  ['colors its text', '\x1b[31mred\x1b[0m', 'red'],
  ['hides its text', '\x1b[8mhidden\x1b[28m', 'hidden'],
  ['overwrites a line', 'failed\rdone  ', 'failed done  '],
  ['rings the bell and goes back', 'a\x07\x08\x7fb\x00', 'ab'],
])('removes what a host prints if it %s', (_, text, expected) => expect(sanitize(text)).toBe(expected));

it('keeps tabs, newlines and text in any language', () =>
  expect(sanitize('a\tb\r\nc 节点 é 😀')).toBe('a\tb\nc 节点 é 😀'));

it('keeps the text after a sequence without an end', () =>
  expect(sanitize('\x1b]0;x error: no space left\nnext')).toBe('0;x error: no space left\nnext'));

it('masks a secret that a host splits by control sequences', () => {
  const secret = new Secret('Correct-horse').reveal();
  expect(sanitize(`${secret.slice(0, 5)}\x1b[0m${secret.slice(5)}`)).toBe('•••');
});

it('keeps only the colors of kubexm where it prints colors', () =>
  expect(sanitizeColored('\x1b[31mx\x1b[39m \x1b[1mbold\x1b[22m \x1b[8mhidden \x1b[2J\x1b]0;t\x07')).toBe(
    '\x1b[31mx\x1b[39m \x1b[1mbold\x1b[22m hidden ',
  ));

it('serializes data completely, with control characters escaped and secrets masked', () => {
  const secret = new Secret('Json-canary-1').reveal();
  const text = safeJson({ stdout: `\x1b[2J\x9b31m\x7f ${secret}` });
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(text)).toEqual({ stdout: '\x1b[2J\x9b31m\x7f •••' });
});

it('takes linear time for text that consists of introducers', () => {
  const start = performance.now();
  for (const introducer of ['\x1b]', '\x9d', '\x1b[', '\x9b', '\x1b[1', '\x1b '])
    sanitize(introducer.repeat(300_000 / introducer.length));
  expect(performance.now() - start).toBeLessThan(10_000);
});
