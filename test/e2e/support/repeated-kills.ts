import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import { bundle } from '../../bundle.ts';
import type { KillPoint } from './kill-at.ts';

/** A command to be killed repeatedly. */
export interface RepeatedKills {
  readonly lab: Lab;
  readonly args: readonly string[];
  /** Returns the next kill point. */
  readonly next: () => KillPoint;
}

/** Runs a command to completion, killing it with SIGKILL and resuming it each time. Returns the last journal node before each kill. */
export async function killRepeatedly({ lab, args, next }: RepeatedKills): Promise<readonly string[]> {
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
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await once(child, 'close');
    // A run killed at its last record has nothing left to resume.
    if (child.exitCode === 0 || /Nothing to (do|resume)/.test(stderr)) return kills;
    expect(child.signalCode, `must only exit by itself when done: ${stderr}`).toBe('SIGKILL');
    kills.push(lastNode(lab));
  }
}

/** Kills after this many more journal records. */
export const afterRecords = (lab: Lab, stride: number): KillPoint => ({
  record: lastRecord(lab) + stride,
  when: 'saved',
});

/** The journal of the last run. */
export const journalOf = ({ paths, name }: Lab): string => {
  const runs = join(paths.folder, '.kubexm', name, 'runs');
  const run = existsSync(runs) ? readdirSync(runs).toSorted().at(-1) : undefined;
  const path = run === undefined ? undefined : join(runs, run, 'journal.jsonl');
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '';
};

const lastRecord = (lab: Lab) => Number([...journalOf(lab).matchAll(/"n":(\d+)/g)].at(-1)?.[1] ?? 0);
const lastNode = (lab: Lab) => [...journalOf(lab).matchAll(/"node":"([^"]+)"/g)].at(-1)?.[1] ?? '';
