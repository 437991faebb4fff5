import { open as openFile } from 'node:fs/promises';
import { sanitize } from '../../common/sanitize.ts';
import type { Subscriber } from './event.ts';
import { logRecord, type LogRecord } from './json-log.ts';

/** Events in a database, for later queries. */
export interface EventStore extends Disposable {
  readonly subscriber: Subscriber;
  /** Writes the events since the last flush. */
  flush(): void;
  /** The events of one run or of all runs, oldest first. */
  events(run?: string): readonly LogRecord[];
}

/** Opens or creates the database; undefined without SQLite, which a run does not need. */
export async function openEventStore(path: string): Promise<EventStore | undefined> {
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
      // A full disk does not end a run: the journal has everything that matters.
      broken = true;
      process.emitWarning(`events are no longer stored: ${String(error)}`);
    }
  };
  // Many events share a transaction, so that hosts do not wait for the disk.
  const timer = setInterval(flush, 500).unref();
  return {
    subscriber: (event) => {
      if (broken || event.type === 'said') return;
      const record = logRecord(event);
      waiting.push({ ...record, message: sanitize(record.message) });
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

/** Creates the file readable by its owner only; SQLite gives its companion files the same mode. */
async function makePrivate(path: string): Promise<void> {
  await using _ = await openFile(path, 'a', 0o600);
}

/** The part of SQLite that `node:sqlite` and its replacement for Node 20 have in common. */
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
      // Not available: try the next one.
    }
  }
  return undefined;
}
