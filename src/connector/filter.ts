import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes as a program of this machine makes them from others, a piece at a time. */
export async function* throughProgram(
  [program, ...args]: readonly [string, ...string[]],
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const child = spawn(program, args, { stdio: 'pipe', detached: true });
  const ended = once(child, 'close');
  ended.catch(() => {});
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-2000)));
  // A program that ends early is told by its exit code; what is wrong with the source is told as it is.
  let broken: unknown;
  const reading = watched(source, (error) => (broken = error));
  const fed = pipeline(Readable.from(reading), child.stdin).catch(() => {});
  try {
    yield* child.stdout;
    await fed;
    const [code] = await ended;
    if (broken !== undefined) throw broken;
    if (code !== 0) throw new Error(said.trim() || `${program} ended with ${code}`);
  } finally {
    child.kill('SIGKILL');
  }
}

async function* watched(source: AsyncIterable<Buffer>, onError: (error: unknown) => void): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    onError(error);
    throw error;
  }
}
