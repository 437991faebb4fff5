import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../../bundle.ts';

/** Set to 30 for the long test. */
const STEPS = Number(process.env['KUBEXM_KILL_STEPS'] ?? 4);
const root = mkdtempSync(join(tmpdir(), 'kubexm-kill-'));
const program = join(root, 'child.mjs');
afterAll(() => rmSync(root, { recursive: true }), 120_000);
beforeAll(() => bundle('test/fast/engine/kill-child.ts', program));

it.each(['saved', 'before'] as const)(
  'resumes after kill -9 at every record (%s), with the same result and no repeated changes',
  async (when) => {
    const complete = join(root, `complete-${when}`);
    expect(await run(complete, 0, when)).toBe(0);
    const expected = stateOf(complete);
    expect(expected.files).toHaveLength(3 * STEPS);
    const records = readFileSync(join(complete, 'journal.jsonl'), 'utf8').trimEnd().split('\n').length;
    process.stdout.write(`kill -9 (${when}) at ${records} records of ${3 * STEPS} steps\n`);
    for (let record = 1; record <= records; record++) {
      const folder = join(root, `${when}-${record}`);
      expect(await run(folder, record, when)).toBe('SIGKILL');
      expect(await run(folder, 0, when)).toBe(0);
      expect(stateOf(folder), `killed at record ${record}`).toEqual(expected);
    }
  },
  STEPS * 60_000,
);

function run(folder: string, record: number, when: string): Promise<number | string> {
  mkdirSync(folder, { recursive: true });
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, folder, `${STEPS}`, `${record}`, when]);
    child.once('close', (code, signal) => resolve(signal ?? code ?? -1));
  });
}

/** The files on all hosts, and all changes, sorted; a repeated change is listed twice. */
function stateOf(folder: string) {
  const files = ['a', 'b', 'c'].flatMap((host) =>
    readdirSync(join(folder, host)).map((name) => `${host} ${name} ${readFileSync(join(folder, host, name), 'utf8')}`),
  );
  return { files: files.sort(), effects: readFileSync(join(folder, 'effects'), 'utf8').trimEnd().split('\n').sort() };
}
