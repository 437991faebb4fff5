import { open as openFile } from 'node:fs/promises';
import type { Subscriber } from './event.ts';
import { logRecord, type LogRecord } from './json-log.ts';

/** Events on disk, to be asked later. */
export interface EventStore extends Disposable {
  readonly subscriber: Subscriber;
  /** Writes what came since the last time. */
  flush(): void;
  /** The events of a run, oldest first; all runs when none is named. */
  events(run?: string): readonly LogRecord[];
}

/** Opens or makes the database; undefined where Node brings no SQLite and none is installed: a run does not need it. */
export async function openEventStore(
  path: string,
  redact: (text: string) => string = (text) => text,
): Promise<EventStore | undefined> {
  const open = await loadSqlite();
  if (!open) return undefined;
  await makePrivate(path);
  const database = open(path);
  database.exec(SCHEMA);
  const insert = database.prepare(`INSERT INTO events VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  let waiting: LogRecord[] = [];
  let broken = false;
  const write = (records: readonly LogRecord[]) => {
    database.exec('BEGIN');
    for (const record of records) insert.run(...COLUMNS.map((column) => record[column] ?? null));
    database.exec('COMMIT');
  };
  const flush = () => {
    if (broken || waiting.length === 0) return;
    const records = waiting;
    waiting = [];
    try {
      write(records);
    } catch (error) {
      // A full disk is no reason to end a run: the journal says what happened.
      broken = true;
      process.emitWarning(`events are not kept any more: ${String(error)}`);
    }
  };
  // In one transaction for many: a thousand hosts do not wait for a disk because of what is only looked at later.
  const timer = setInterval(flush, 500).unref();
  return {
    subscriber: (event) => {
      if (broken || event.type === 'said') return;
      const record = logRecord(event);
      waiting.push({ ...record, message: redact(record.message) });
      if (event.type === 'run-ended' || waiting.length >= 1000) flush();
    },
    flush,
    events: (run) => {
      flush();
      const where = run === undefined ? '' : 'WHERE pipeline_id = ?';
      return database.prepare(`SELECT * FROM events ${where} ORDER BY rowid`).all(...(run === undefined ? [] : [run]));
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      flush();
      database.close();
    },
  };
}

const COLUMNS = [
  'timestamp',
  'level',
  'event',
  'pipeline_id',
  'pipeline',
  'module',
  'task',
  'step',
  'node',
  'message',
  'duration_ms',
] as const satisfies readonly (keyof LogRecord)[];

const SCHEMA = `
PRAGMA busy_timeout = 2000;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS events (
  timestamp TEXT NOT NULL, level TEXT NOT NULL, event TEXT NOT NULL, pipeline_id TEXT NOT NULL, pipeline TEXT NOT NULL,
  module TEXT, task TEXT, step TEXT, node TEXT, message TEXT NOT NULL, duration_ms REAL
);
CREATE INDEX IF NOT EXISTS events_of_run ON events (pipeline_id);
`;

/** Makes the file for its owner only; SQLite gives the files beside it the same mode. */
async function makePrivate(path: string): Promise<void> {
  await using _ = await openFile(path, 'a', 0o600);
}

/** What of SQLite is used; `node:sqlite` and its stand-in for Node 20 both have it. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: readonly (string | number | null)[]): unknown;
    all(...values: readonly string[]): LogRecord[];
  };
  close(): void;
}

async function loadSqlite(): Promise<((path: string) => Database) | undefined> {
  for (const name of ['node:sqlite', '@photostructure/sqlite']) {
    try {
      const { DatabaseSync } = await import(name);
      return (path) => new DatabaseSync(path);
    } catch {
      // Not in this Node, or not installed: the next one, or none.
    }
  }
  return undefined;
}
