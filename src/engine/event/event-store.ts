import type { Subscriber } from './event.ts';
import { safeRecord, type LogRecord } from './json-log.ts';
import { openDatabase } from './database.ts';

/** Stores events in a database for later queries. */
export interface EventStore extends Disposable {
  readonly subscriber: Subscriber;
  /** Writes all events added since the last flush. */
  flush(): void;
  /** Returns the events of one run or of all runs, oldest first. */
  events(run?: string): readonly LogRecord[];
  /** Deletes the events of these runs. */
  remove(runs: readonly string[]): void;
}

/** Opens or creates the database. Returns undefined if it cannot be used, because runs do not require it. */
export async function openEventStore(path: string): Promise<EventStore | undefined> {
  const database = await openDatabase(path, SCHEMA, INSERT);
  if (!database) return undefined;
  const insert = database.prepare(INSERT);
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
      // A full disk does not end a run, because the journal contains everything that is required.
      broken = true;
      process.emitWarning(`events are no longer stored: ${String(error)}`);
    }
  };
  // Many events share a transaction, so that hosts do not wait for the disk.
  const timer = setInterval(flush, 500).unref();
  return {
    subscriber: (event) => {
      if (broken || event.type === 'said') return;
      waiting.push(safeRecord(event));
      if (event.type === 'run-ended' || waiting.length >= 1000) flush();
    },
    flush,
    events: (run) => {
      flush();
      const where = run === undefined ? '' : 'WHERE pipeline_id = ?';
      const select = database.prepare<LogRecord>(`SELECT * FROM events ${where} ORDER BY rowid`);
      return select.all(...(run === undefined ? [] : [run]));
    },
    remove: (runs) => {
      const statement = database.prepare('DELETE FROM events WHERE pipeline_id = ?');
      for (const run of runs) statement.run(run);
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

const INSERT = `INSERT INTO events VALUES (${COLUMNS.map(() => '?').join(', ')})`;
