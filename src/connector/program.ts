import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fail } from '../common/errors/errors.ts';

/** How a program on this machine is to be run. */
export interface ProgramOptions {
  readonly stdin?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with each line of output as it comes. */
  readonly onLine?: (line: string) => void;
}

/** What a program left behind. */
export interface ProgramResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program on this machine by its argv, without a shell. */
export function runProgram(argv: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const { signal, env, onLine, stdin } = options;
    // In a group of its own: Ctrl-C is for kubexm, which then stops what may be stopped and lets the rest end well.
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
      detached: true,
    });
    const stop = stopOnAbort(child, signal);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
      if (onLine) createInterface({ input: child[name] }).on('line', onLine);
    }
    child.stdin.on('error', () => {}); // a program that does not read its input is no failure
    child.stdin.end(stdin);
    child.once('error', (cause) => reject(fail('PROGRAM_MISSING', { program }, cause)));
    child.once('close', (code, killedBy) => {
      stop();
      if (signal?.aborted) reject(signal.reason);
      else resolve({ exit: exitOf(code, killedBy), ...output });
    });
  });
}

/** Hands the terminal to a program, such as ssh, and resolves with its exit code. */
export function attach(argv: readonly [string, ...string[]]): Promise<number> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.once('error', (cause) => reject(fail('PROGRAM_MISSING', { program }, cause)));
    child.once('close', (code, signal) => resolve(exitOf(code, signal)));
  });
}

/** Ends the program and all it started when the signal comes; the result forgets the signal. */
function stopOnAbort(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  let hard: NodeJS.Timeout | undefined;
  const kill = (how: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, how);
  };
  const onAbort = () => {
    kill('SIGTERM');
    hard = setTimeout(() => kill('SIGKILL'), 5000);
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(hard);
    signal?.removeEventListener('abort', onAbort);
  };
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null) => code ?? (signal === 'SIGINT' ? 130 : 137);
