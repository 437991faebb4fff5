import { afterEach, expect, it, vi } from 'vitest';
import { createConsole } from '../../../src/cli/console.ts';
import { KubexmError } from '../../../src/common/errors/errors.ts';
import { Secret } from '../../../src/common/secret.ts';

const SECRET = new Secret('Console-canary-3').reveal();
const TITLE = '\x1b]0;owned\x07';
const CLEAR = '\x1b[2J';

afterEach(() => vi.restoreAllMocks());

/** Everything that an action prints to stdout and stderr. */
function printed(action: () => void): string {
  let text = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => ((text += String(chunk)), true));
  action();
  return text;
}

/** An error with a secret and control sequences in all its texts. */
function poisoned(): KubexmError {
  const text = (name: string) => `${name} ${SECRET}${TITLE}${CLEAR}`;
  const cause = new Error(text('cause'));
  cause.stack = text('stack');
  return new KubexmError('INTERNAL', { title: text('title'), message: text('message'), hint: text('hint') }, 70, cause);
}

it.each([
  { color: false, json: false, verbose: false },
  { color: false, json: false, verbose: true },
  { color: true, json: false, verbose: true },
  { color: false, json: true, verbose: true },
])('prints no secret and no control sequence of an error with %j', (options) => {
  const text = printed(() => createConsole(options).error(poisoned()));
  for (const part of ['title', 'message', 'hint']) expect(text).toContain(`${part} •••`);
  if (options.verbose && !options.json) expect(text).toContain('stack •••');
  expectClean(text);
});

it.each([{ json: true }, { json: false }])('prints no secret and no control sequence in notes with %j', ({ json }) => {
  const console = createConsole({ color: true, json, verbose: false });
  const text = printed(() => {
    console.note(`a host printed ${SECRET}${TITLE}${CLEAR}`, 'warning');
    console.progress({ task: `task ${SECRET}${TITLE}` });
  });
  expect(text).toContain('a host printed •••');
  expectClean(text);
});

it('prints no secret and no control sequence in results, and keeps its own colors', () => {
  const console = createConsole({ color: true, json: false, verbose: false });
  const text = printed(() => console.print(`${console.color.red('x')} ${SECRET}${TITLE}${CLEAR}`));
  expect(text).toBe('\x1b[31mx\x1b[39m •••\n');
});

it('prints JSON results with secrets masked and control sequences escaped', () => {
  const text = printed(() =>
    createConsole({ color: true, json: false, verbose: false }).json({ stdout: `${CLEAR}\x9b2J${SECRET}` }),
  );
  expectClean(text);
  expect(JSON.parse(text)).toEqual({ stdout: `${CLEAR}\x9b2J•••` });
});

it('prints a file that was asked for with its secrets', () => {
  const text = printed(() => createConsole({ color: false, json: false, verbose: false }).printUnmasked(SECRET));
  expect(text).toBe(`${SECRET}\n`);
});

function expectClean(text: string): void {
  expect(text).not.toContain(SECRET);
  // Only colors of kubexm itself are left.
  const plain = text
    .replaceAll('\n', '')
    .replaceAll(/(?<=\p{Cc})\[\d+m/gu, '[m')
    .replaceAll('\x1b[m', '');
  expect(plain).not.toMatch(/\p{Cc}|owned/u);
}
