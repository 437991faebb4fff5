import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import type { KillPoint } from './kill-at.ts';
import { bundle } from '../../bundle.ts';

/** One run of the plan of the proof. */
export interface ProofRun {
  /** The cluster file. */
  readonly file: string;
  readonly workdir: string;
  /** Numbers of the steps, all unless told. */
  readonly steps?: readonly number[];
  readonly kill?: KillPoint;
  /** Of the command. */
  readonly flags?: readonly string[];
  /** Waits first until a machine has /run/kx-go. */
  readonly waits?: boolean;
  /** All in one task, whose last step fails where a machine has /run/kx-fail. */
  readonly mayFail?: boolean;
  /** Holds a secret that is written into a file, and told by the step that fails. */
  readonly secretFile?: string;
}

/** How a program ended. */
export interface Ended {
  /** Its exit code, or the signal that killed it. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the plan of the proof in a process of its own. */
export interface ProofProgram {
  /** A new working directory. */
  readonly newWorkdir: () => string;
  readonly run: (lab: Lab, run: Omit<ProofRun, 'file'>) => Promise<Ended>;
  readonly start: (run: ProofRun, env?: Readonly<Record<string, string>>) => ReturnType<typeof spawn>;
}

/** Builds it before the tests of a file, and removes all it left after them. */
export function proofProgram(): ProofProgram {
  const root = mkdtempSync(join(tmpdir(), 'kubexm-proof-'));
  const program = join(root, 'run.mjs');
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  afterAll(() => rmSync(root, { recursive: true }), 120_000);
  beforeAll(() => bundle('test/e2e/support/proof-run.ts', program, { packages: 'external' }));
  const start: ProofProgram['start'] = (run, env) =>
    spawn(process.execPath, ['--no-warnings', program, JSON.stringify(run)], { ...(env && { env }) });
  return {
    newWorkdir: () => mkdtempSync(join(root, 'w-')),
    run: (lab, run) => ended(start({ ...run, file: lab.paths.cluster })),
    start,
  };
}

export function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done) =>
    child.once('close', (code, signal) => done({ exit: signal ?? code ?? -1, stdout, stderr })),
  );
}

/** The records of the latest run in a working directory. */
export function recordsOf(
  workdir: string,
  cluster: string,
): readonly { readonly type: string; readonly node?: string }[] {
  const runs = join(workdir, '.kubexm', cluster, 'runs');
  const [run] = readdirSync(runs).toSorted().toReversed();
  const text = readFileSync(join(runs, run!, 'journal.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
