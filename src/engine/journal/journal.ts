import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { encode, type JournalRecord } from './record.ts';

/** A run on disk, ahead of what it does. */
export interface Journal extends AsyncDisposable {
  /** Puts a record behind the others; it is on disk once `saved` resolves. */
  append(record: JournalRecord): void;
  /** Resolves when everything appended so far is on disk; rejects with JOURNAL_UNWRITABLE. */
  saved(): Promise<void>;
  /** Why nothing can be written any more. */
  readonly broken: KubexmError | undefined;
}

/** Where a journal goes on, and who may still forbid it. */
export interface JournalOptions {
  readonly path: string;
  /** Records and bytes that are there and good; what follows them is cut off. */
  readonly records?: number;
  readonly bytes?: number;
  /** Asked before each write; throws when the lock was lost to somebody with a higher number. */
  readonly guard?: () => void | Promise<void>;
}

export async function openJournal({ path, records = 0, bytes = 0, guard }: JournalOptions): Promise<Journal> {
  await ensureFolder(dirname(path), 0o700);
  const file = await open(path, 'a', 0o600).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  await file.truncate(bytes);
  await syncFolder(dirname(path));
  return createJournal(path, file, records, guard);
}

function createJournal(path: string, file: FileHandle, records: number, guard: JournalOptions['guard']): Journal {
  let count = records;
  let waiting = '';
  let writing: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let broken: KubexmError | undefined;

  /** One write and one sync for all that came together meanwhile: a thousand hosts wait for the same disk once. */
  const write = async () => {
    await guard?.();
    const text = waiting;
    waiting = '';
    if (text === '') return;
    await writeAll(file, text);
    await file.datasync();
  };
  const breakOn = (error: unknown) => {
    waiting = '';
    broken ??= unwritable(path, error);
    throw broken;
  };
  const begin = () => {
    next = undefined;
    writing = write()
      .catch(breakOn)
      .finally(() => (writing = undefined));
    return writing;
  };
  const saved = (): Promise<void> => {
    if (broken) return Promise.reject(broken);
    if (waiting === '') return writing ?? Promise.resolve();
    return next ?? soon();
  };
  const soon = () => {
    next = (writing ?? Promise.resolve()).then(begin);
    // Whoever does not wait learns of a failure by `broken`.
    next.catch(() => {});
    return next;
  };
  const append = (record: JournalRecord) => {
    if (broken) return;
    waiting += encode(record, ++count);
    if (!next) void soon();
  };
  const close = async () => {
    await saved().catch(() => {});
    await file.close();
  };
  return {
    append,
    saved,
    get broken() {
      return broken;
    },
    [Symbol.asyncDispose]: close,
  };
}

async function writeAll(file: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, offset);
    offset += bytesWritten;
  }
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

function unwritable(path: string, error: unknown): KubexmError {
  if (error instanceof KubexmError) return error;
  return fail('JOURNAL_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
}
