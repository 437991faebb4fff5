import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import type { KillPoint } from './kill-at.ts';
import { bundle } from '../../bundle.ts';

/** One run of the proof plan. */
export interface ProofRun {
  /** The cluster file. */
  readonly file: string;
  readonly workdir: string;
  /** Step numbers; all if undefined. */
  readonly steps?: readonly number[];
  readonly kill?: KillPoint;
  /** Additional command-line flags. */
  readonly flags?: readonly string[];
  /** Waits for /run/kx-go on each machine first. */
  readonly waits?: boolean;
  /** Uses a single task, whose last step fails on machines with /run/kx-fail. */
  readonly mayFail?: boolean;
  /** File with a secret that is written to the machines and printed by the failing step. */
  readonly secretFile?: string;
}

/** The result of a finished process. */
export interface ProcessResult {
  /** Its exit code, or the signal that killed it. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the proof plan in a separate process. */
export interface ProofProgram {
  /** A new working directory. */
  readonly newWorkdir: () => string;
  readonly run: (lab: Lab, run: Omit<ProofRun, 'file'>) => Promise<ProcessResult>;
  readonly start: (run: ProofRun, env?: Readonly<Record<string, string>>) => ReturnType<typeof spawn>;
}

/** Builds the program before the tests of a file and removes its files afterwards. */
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
    run: (lab, run) => resultOf(start({ ...run, file: lab.paths.cluster })),
    start,
  };
}

/** Waits for a process to exit. */
export function resultOf(child: ReturnType<typeof spawn>): Promise<ProcessResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done) =>
    child.once('close', (code, signal) => done({ exit: signal ?? code ?? -1, stdout, stderr })),
  );
}

/** The journal records of the latest run in a working directory. */
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
