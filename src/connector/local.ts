import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fail } from '../common/errors.ts';
import type { Connector, ExecOptions, ExecResult } from './connector.ts';

/** Reaches the machine kubexm runs on. */
export const local: Connector = Object.freeze({ exec });

/** Hands the terminal to a program, such as ssh, and resolves with its exit code. */
export function attach(argv: readonly [string, ...string[]]): Promise<number> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.once('error', (cause) => reject(fail('PROGRAM_MISSING', { program }, cause)));
    child.once('close', (code, signal) => resolve(exitOf(code, signal)));
  });
}

function exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const { signal, env, onLine, stdin } = options;
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
      ...(signal && { signal }),
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
      if (onLine) createInterface({ input: child[name] }).on('line', onLine);
    }
    child.stdin.on('error', () => {}); // a program that does not read its input is no failure
    child.stdin.end(stdin);
    child.once('error', (cause) => reject(signal?.aborted ? cause : fail('PROGRAM_MISSING', { program }, cause)));
    child.once('close', (code, killedBy) => resolve({ exit: exitOf(code, killedBy), ...output }));
  });
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null) => code ?? (signal === 'SIGINT' ? 130 : 137);
