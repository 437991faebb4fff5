import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { syncFolder } from '../../util/sync-folder.ts';
import { encode, type JournalRecord } from './record.ts';

/** The write-ahead journal of a run. */
export interface Journal extends AsyncDisposable {
  /** Appends a record. It is on disk after `saved` resolves. */
  append(record: JournalRecord): void;
  /** Resolves when all records appended so far are on disk. Rejects with JOURNAL_UNWRITABLE if writing fails. */
  saved(): Promise<void>;
  /** The error that ended writing, if any. */
  readonly broken: KubexmError | undefined;
}

/** Options for opening a journal. */
export interface JournalOptions {
  readonly path: string;
  /** The number of intact records and bytes. The rest of the file is truncated. */
  readonly records?: number;
  readonly bytes?: number;
  /** Called before each write; throws if another operator has taken over the lock. */
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

  /**
   * Writes and syncs all records appended in the meantime together, so that a thousand hosts wait for only one fsync.
   */
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
    // `broken` reports the failure to callers that do not await this promise.
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

function unwritable(path: string, error: unknown): KubexmError {
  if (error instanceof KubexmError) return error;
  return fail('JOURNAL_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
}
