import { readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A journal record, by number, and whether to kill before or after it is on disk. */
export interface KillPoint {
  readonly record: number;
  /** If given, kills at the first later record about a step that is not listed here. */
  readonly known?: readonly string[];
  readonly when: 'before' | 'saved';
}

/**
 * Kills this process with SIGKILL at a journal record. If one write contains several records, only those up to the kill
 * point are written, as in a crash.
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
  const [found] = stepRecords(line);
  return found !== undefined && !known.includes(found);
};

/** Extracts the records about steps from a journal, without their numbers and times. */
export const stepRecords = (text: string): readonly string[] =>
  [...text.matchAll(/"type":"(?:change|done|skipped)","node":"[^"]+"(?:,"part":\d+)?/g)].map(([record]) => record);

const isJournal = (handle: unknown) =>
  typeof handle === 'object' &&
  handle !== null &&
  'fd' in handle &&
  readlinkSync(`/proc/self/fd/${String(handle.fd)}`).endsWith('/journal.jsonl');
