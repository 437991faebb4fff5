import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openEventStore } from '../../../src/engine/event/event-store.ts';
import { jsonLog } from '../../../src/engine/event/json-log.ts';
import { createMetrics } from '../../../src/engine/event/metrics.ts';
import { serveMetrics, writeMetrics } from '../../../src/engine/event/metrics-server.ts';
import { eventsPath, lockFolder, newRunId, runPaths, listRuns } from '../../../src/state/runs.ts';
import { skipUnless } from '../../skip-unless.ts';
import { sampleRun, SECRET } from '../../fake/sample-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-events-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('are written as JSON lines without secrets and control sequences', async () => {
  const lines: string[] = [];
  await sampleRun(jsonLog((line) => lines.push(line)));
  const records = lines.map((line) => JSON.parse(line));
  for (const record of records)
    expect(record).toMatchObject({
      timestamp: expect.any(String),
      level: expect.any(String),
      pipeline_id: 'test',
      message: expect.any(String),
    });
  const done = records.find(({ event }) => event === 'done');
  expect(done).toMatchObject({
    module: 'm',
    task: 't',
    step: 'x.0',
    node: expect.any(String),
    duration_ms: expect.any(Number),
  });
  expect(lines.join('')).not.toContain(SECRET);
  expect(lines.join('')).toContain('•••');
  expect(lines.join('')).not.toContain('52;c');
});

const SQLITE = ['node:sqlite', '@photostructure/sqlite'];
const hasSqlite = await Promise.any(SQLITE.map((name) => import(name))).then(
  () => true,
  () => false,
);
const needsSqlite = skipUnless(hasSqlite, 'neither node:sqlite nor @photostructure/sqlite is available');

it('are stored in a database without secrets and control sequences', needsSqlite, async () => {
  const store = await openEventStore(join(folder, 'kubexm.db'));
  if (!store) throw new Error('SQLite is available, but the database was not opened');
  await sampleRun(store.subscriber);
  const events = store.events('test');
  expect(events.length).toBeGreaterThan(8);
  expect(events.at(-1)).toMatchObject({ event: 'run-ended', level: 'error', pipeline: 'create-cluster' });
  expect(JSON.stringify(events)).toContain('•••');
  expect(JSON.stringify(events)).not.toContain(SECRET);
  expect(JSON.stringify(events)).not.toContain('52;c');
  expect(store.events('other')).toEqual([]);
  expect(statSync(join(folder, 'kubexm.db')).mode & 0o777).toBe(0o600);
  store[Symbol.dispose]();
});

describe('a damaged event database', needsSqlite, () => {
  const warningsOf = async (act: () => Promise<void>) => {
    const warned: string[] = [];
    const onWarning = (warning: Error) => void warned.push(warning.message);
    process.on('warning', onWarning);
    await act();
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    return warned.join();
  };
  const storedIn = async (path: string) => {
    using store = await openEventStore(path);
    if (store) await sampleRun(store.subscriber);
    return store?.events('test').length ?? 0;
  };

  it.each([
    ['with other content', 'this is not a database, but longer than its header '.repeat(20)],
    ['with corrupt pages', `SQLite format 3\0${'x'.repeat(8176)}`],
    ['with a table of another program', undefined],
  ])('%s is renamed with a warning, and events are stored in a new one', async (_, content) => {
    const path = join(mkdtempSync(join(folder, 'damaged-')), 'kubexm.db');
    if (content === undefined) await openWithTable(path);
    else writeFileSync(path, content);
    const warned = await warningsOf(async () => expect(await storedIn(path)).toBeGreaterThan(8));
    expect(warned).toContain(`${path} is damaged`);
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect(await storedIn(path)).toBeGreaterThan(8);
  });

  it('that cannot be replaced does not end the run', async () => {
    const path = join(mkdtempSync(join(folder, 'damaged-')), 'kubexm.db');
    mkdirSync(path);
    const warned = await warningsOf(async () => expect(await storedIn(path)).toBe(0));
    expect(warned).toContain('events of this run are not stored');
  });
});

async function openWithTable(path: string): Promise<void> {
  const { DatabaseSync } = await Promise.any(SQLITE.map((name) => import(name)));
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE events (one TEXT)');
  database.close();
}

it('of removed runs are deleted', needsSqlite, async () => {
  using store = await openEventStore(join(folder, 'removed.db'));
  await sampleRun(store!.subscriber);
  store!.remove(['other']);
  expect(store!.events('test').length).toBeGreaterThan(8);
  store!.remove(['test']);
  expect(store!.events()).toEqual([]);
});

it('become metrics, served over HTTP and written to a file', async () => {
  const metrics = createMetrics();
  await sampleRun(metrics.subscriber);
  await using server = await serveMetrics('127.0.0.1:0', metrics);
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  expect(text).toContain('kubexm_pipeline_total{pipeline="create-cluster",outcome="failed"} 1\n');
  expect(text).toContain('kubexm_pipeline_duration_seconds_count{pipeline="create-cluster"} 1\n');
  expect(text).toMatch(/kubexm_step_duration_seconds_bucket\{step="x.0",outcome="done",le="\+Inf"\} 2\n/);
  expect(text).toContain('kubexm_steps_in_flight{pipeline="create-cluster"} 0\n');
  expect(text).toContain('kubexm_hosts_quarantined_total{pipeline="create-cluster"} 1\n');
  expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
  await writeMetrics(join(folder, 'kubexm.prom'), metrics);
  expect(readFileSync(join(folder, 'kubexm.prom'), 'utf8')).toBe(text);
  await expect(serveMetrics('nowhere', metrics)).rejects.toMatchObject({ code: 'USAGE' });
});

it('do not abort a run when a subscriber throws', async () => {
  const reported: string[] = [];
  const throwing = () => {
    throw new Error('no space left on device');
  };
  const warned: string[] = [];
  const onWarning = (warning: Error) => void warned.push(warning.message);
  process.on('warning', onWarning);
  const { result } = await sampleRun(throwing, (event) => void reported.push(event.type));
  await new Promise(setImmediate);
  process.off('warning', onWarning);
  expect(warned).toContain('no space left on device');
  expect(reported.length).toBeGreaterThan(5);
  expect(result.outcome).toBe('failed');
});

it('are grouped by run ids that sort by time', async () => {
  const first = newRunId(new Date('2026-11-17T10:14:02Z'));
  expect(first).toMatch(/^20261117-101402-[0-9a-f]{4}$/);
  expect(await listRuns(folder, 'none')).toEqual([]);
  expect([eventsPath('/w'), lockFolder('/w', 'prod')]).toEqual(['/w/.kubexm/kubexm.db', '/w/.kubexm/prod/lock']);
  expect(runPaths('/w', 'prod', first).journal).toBe(`/w/.kubexm/prod/runs/${first}/journal.jsonl`);
});
