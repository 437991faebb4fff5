import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import { bundle } from '../../bundle.ts';
import type { KillPoint } from './kill-at.ts';

/** A command that is killed again and again on its way. */
export interface KillAlong {
  readonly lab: Lab;
  readonly args: readonly string[];
  /** Where it is killed next. */
  readonly next: () => KillPoint;
}

/** Runs a command to its end, killed with -9 again and again and gone on with; resolves with how often, and at what. */
export async function killAlong({ lab, args, next }: KillAlong): Promise<readonly string[]> {
  const preload = join(lab.paths.folder, 'kill.mjs');
  await bundle('test/e2e/support/kill-preload.ts', preload);
  const kills: string[] = [];
  for (;;) {
    const child = spawn(resolve('bin/kubexm'), [...args, ...(kills.length > 0 ? ['--resume'] : [])], {
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=file://${preload}`,
        KUBEXM_TEST_KILL: JSON.stringify(next()),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child, 'close');
    // Killed at its very last record it has nothing left to go on with.
    if (child.exitCode === 0 || /Nothing to do|nothing to go on/i.test(said)) return kills;
    expect(child.signalCode, `ends by itself only when all is done: ${said}`).toBe('SIGKILL');
    kills.push(lastNode(lab));
  }
}

/** After so many records of the journal more than there are. */
export const recordsOn = (lab: Lab, stride: number): KillPoint => ({
  record: lastRecord(lab) + stride,
  when: 'saved',
});

const journalOf = ({ paths, name }: Lab): string => {
  const runs = join(paths.folder, '.kubexm', name, 'runs');
  const run = existsSync(runs) ? readdirSync(runs).toSorted().at(-1) : undefined;
  const path = run === undefined ? undefined : join(runs, run, 'journal.jsonl');
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '';
};

const lastRecord = (lab: Lab) => Number([...journalOf(lab).matchAll(/"n":(\d+)/g)].at(-1)?.[1] ?? 0);
const lastNode = (lab: Lab) => [...journalOf(lab).matchAll(/"node":"([^"]+)"/g)].at(-1)?.[1] ?? '';
