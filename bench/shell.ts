import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Lab } from '../src/lab/up.ts';

/** The command that runs another one on a machine of a lab. */
export const sshTo = (lab: Lab, node: string): string => `ssh -F ${lab.paths.sshConfig} -o BatchMode=yes ${node}`;

export const sh = (command: string): Promise<string> => run('bash', ['-c', `set -o pipefail; ${command}`]);

/** Asynchronous, because this process serves the mirror while the program runs. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return stdout;
}

/** Measures an action in seconds. */
export async function timed(action: () => Promise<string>): Promise<{ readonly s: number; readonly stdout: string }> {
  const start = performance.now();
  const stdout = await action();
  return { s: (performance.now() - start) / 1000, stdout };
}
