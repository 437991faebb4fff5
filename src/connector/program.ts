import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail } from '../common/errors/errors.ts';

/** Options for running a local program. */
export interface ProgramOptions {
  readonly stdin?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called for each output line as it arrives. */
  readonly onLine?: (line: string) => void;
}

/** The result of a program. */
export interface ProgramResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a local program with its arguments, without a shell. */
export function runProgram(argv: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const { signal, env, onLine, stdin } = options;
    // Uses a separate process group, because Ctrl-C must reach only kubexm, which decides what to stop.
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
      detached: true,
    });
    const removeListener = killOnAbort(child, signal);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
      if (onLine) createInterface({ input: child[name] }).on('line', onLine);
    }
    child.stdin.on('error', () => {}); // the program may exit without reading its input
    child.stdin.end(stdin);
    child.once('error', (cause) => reject(fail('PROGRAM_MISSING', { program }, cause)));
    child.once('close', (code, killedBy) => {
      removeListener();
      if (signal?.aborted) reject(signal.reason);
      else resolve({ exit: exitOf(code, killedBy), ...output });
    });
  });
}

/** Runs a program, such as ssh, on the terminal and returns its exit code. */
export function attach(argv: readonly [string, ...string[]]): Promise<number> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.once('error', (cause) => reject(fail('PROGRAM_MISSING', { program }, cause)));
    child.once('close', (code, signal) => resolve(exitOf(code, signal)));
  });
}

/** Streams bytes through a local program, such as a decompressor. */
export async function* pipeThrough(
  [program, ...args]: readonly [string, ...string[]],
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const child = spawn(program, args, { stdio: 'pipe', detached: true });
  const ended = once(child, 'close');
  ended.catch(() => {});
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = `${stderr}${text}`.slice(-2000)));
  // Rethrows an error from the source unchanged. If the program stops reading, its exit code is reported instead.
  let sourceError: unknown;
  const watched = watchErrors(source, (error) => (sourceError = error));
  const fed = pipeline(Readable.from(watched), child.stdin).catch(() => {});
  try {
    yield* child.stdout;
    await fed;
    const [code] = await ended;
    if (sourceError !== undefined) throw sourceError;
    if (code !== 0) throw new Error(stderr.trim() || `${program} exited with ${code}`);
  } finally {
    child.kill('SIGKILL');
  }
}

async function* watchErrors(source: AsyncIterable<Buffer>, onError: (error: unknown) => void): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** Kills the process group when the signal is aborted. The returned function removes the listener. */
function killOnAbort(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  let killTimer: NodeJS.Timeout | undefined;
  const kill = (how: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, how);
  };
  const onAbort = () => {
    kill('SIGTERM');
    killTimer = setTimeout(() => kill('SIGKILL'), 5000);
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(killTimer);
    signal?.removeEventListener('abort', onAbort);
  };
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null) => code ?? (signal === 'SIGINT' ? 130 : 137);
