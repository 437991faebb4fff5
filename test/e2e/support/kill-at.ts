import { readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A record of the journal, by its number, and when to end: before it is written, or once it is on disk. */
export interface KillPoint {
  readonly record: number;
  /** Or at the first one after it that tells something new of a step: what was told before. */
  readonly known?: readonly string[];
  readonly when: 'before' | 'saved';
}

/**
 * Kills this process with -9 at a record of its journal. One write may bring several records; as with one that a crash
 * tears, those before the one that is meant are written, and nothing after it is.
 */
export async function killAt({ record, when, known }: KillPoint): Promise<void> {
  await using any = await open('/dev/null');
  const handles: { write: (...args: readonly unknown[]) => unknown } = Object.getPrototypeOf(any);
  const { write } = handles;
  handles.write = async function (this: unknown, bytes: unknown, ...rest: readonly unknown[]) {
    const lines = isJournal(this) ? String(bytes).split('\n').filter(Boolean) : [];
    const numbers = lines.map((line) => Number(/"n":(\d+)/.exec(line)?.[1]));
    const fatal = numbers.find((number, at) => number >= record && isNew(lines[at]!, known));
    if (fatal === undefined) return Reflect.apply(write, this, [bytes, ...rest]);
    const last = when === 'saved' ? fatal : fatal - 1;
    const text = lines.filter((_, at) => numbers[at]! <= last).map((line) => `${line}\n`);
    if (text.length > 0) await Reflect.apply(write, this, [Buffer.from(text.join(''))]);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  };
}

const isNew = (line: string, known: readonly string[] | undefined) => {
  if (known === undefined) return true;
  const [told] = toldOf(line);
  return told !== undefined && !known.includes(told);
};

/** What records tell of steps, whenever they were written. */
export const toldOf = (text: string): readonly string[] =>
  [...text.matchAll(/"type":"(?:change|done|skipped)","node":"[^"]+"(?:,"part":\d+)?/g)].map(([told]) => told);

const isJournal = (handle: unknown) =>
  typeof handle === 'object' &&
  handle !== null &&
  'fd' in handle &&
  readlinkSync(`/proc/self/fd/${String(handle.fd)}`).endsWith('/journal.jsonl');
