import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/engine/event/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-database-'));
afterAll(() => rmSync(folder, { recursive: true }));

// In a file of its own: Node prints the warning about an experimental module once per process.
it('is opened without a warning on every supported version of Node', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on('warning', onWarning);
  const database = await openDatabase(join(folder, 'a.db'), 'CREATE TABLE t (c TEXT)', 'INSERT INTO t VALUES (?)');
  await new Promise(setImmediate);
  process.off('warning', onWarning);
  database?.prepare('INSERT INTO t VALUES (?)').run('stored');
  expect(database?.prepare<{ c: string }>('SELECT c FROM t').all()).toEqual([{ c: 'stored' }]);
  database?.close();
  expect(warnings).toEqual([]);
});
