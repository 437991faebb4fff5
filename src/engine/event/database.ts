import { open as openFile, rename, rm } from 'node:fs/promises';

/** The SQLite API shared by `node:sqlite` and its replacement for older versions of Node.js. */
export interface Database {
  exec(sql: string): void;
  prepare<Row = unknown>(
    sql: string,
  ): {
    run(...values: readonly (string | number | null)[]): unknown;
    all(...values: readonly string[]): Row[];
  };
  close(): void;
}

/**
 * Opens or creates a database with these tables and checks that the statement is valid. Renames a damaged file and
 * creates a new one. Returns undefined with a warning if this fails, and without a warning if SQLite is not available.
 */
export async function openDatabase(path: string, schema: string, statement: string): Promise<Database | undefined> {
  const open = await loadSqlite();
  if (!open) return undefined;
  const attempt = async () => {
    await makePrivate(path);
    return usable(open(path), schema, statement);
  };
  try {
    return await attempt().catch(async (error: unknown) => {
      if (!isDamaged(error)) throw error;
      await setAside(path, error);
      return attempt();
    });
  } catch (error) {
    process.emitWarning(`events of this run are not stored in ${path}: ${reasonOf(error)}`);
    return undefined;
  }
}

function usable(database: Database, schema: string, statement: string): Database {
  try {
    database.exec(schema);
    database.prepare(statement);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Returns whether the file is not a database, has corrupt pages or a table with other columns. A full disk or a lock is
 * not damage.
 */
const isDamaged = (error: unknown) => /not a database|malformed|has \d+ columns|no such column/.test(reasonOf(error));

async function setAside(path: string, error: unknown): Promise<void> {
  const damaged = `${path}.damaged`;
  await rename(path, damaged);
  // These companion files belong to the damaged file and would corrupt the new one.
  await Promise.all([`${path}-wal`, `${path}-shm`].map((each) => rm(each, { force: true })));
  process.emitWarning(
    `${path} is damaged (${reasonOf(error)}). It was renamed to ${damaged}, and a new one was created.`,
  );
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Creates a file that only its owner can read. SQLite gives its companion files the same mode. */
async function makePrivate(path: string): Promise<void> {
  await using _ = await openFile(path, 'a', 0o600);
}

async function loadSqlite(): Promise<((path: string) => Database) | undefined> {
  for (const name of MODULES) {
    try {
      const { DatabaseSync } = await import(name);
      return (path) => new DatabaseSync(path);
    } catch {
      // Not available; tries the next one.
    }
  }
  return undefined;
}

/** Before Node.js 24, `node:sqlite` is missing or prints an experimental warning in every run. */
const MODULES =
  Number(process.versions.node.split('.')[0]) < 24
    ? ['@photostructure/sqlite', 'node:sqlite']
    : ['node:sqlite', '@photostructure/sqlite'];
