import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { wrap } from '../../../src/cli/format/error-text.ts';
import { createLiveView, renderRun } from '../../../src/cli/execute/live-view.ts';
import { createPlainView } from '../../../src/cli/execute/plain-view.ts';
import { previewText } from '../../../src/cli/execute/preview-text.ts';
import { createProgressModel } from '../../../src/cli/execute/progress-model.ts';
import { openView } from '../../../src/cli/execute/view.ts';
import { resultText } from '../../../src/cli/execute/result-text.ts';
import { fail } from '../../../src/common/errors/errors.ts';
import { Secret } from '../../../src/common/secret.ts';
import { openEventStore } from '../../../src/engine/event/event-store.ts';
import { broadcast, type Subscriber } from '../../../src/engine/event/event.ts';
import { jsonLog } from '../../../src/engine/event/json-log.ts';
import { createMetrics } from '../../../src/engine/event/metrics.ts';
import { serveMetrics, writeMetrics } from '../../../src/engine/event/metrics-server.ts';
import { preview } from '../../../src/engine/preview.ts';
import { createSummary } from '../../../src/engine/summary.ts';
import { chain, scope } from '../../../src/plan/fragment.ts';
import { toGraph } from '../../../src/plan/graph.ts';
import { eventsPath, lockFolder, newRunId, runPaths, listRuns } from '../../../src/state/runs.ts';
import { fakeStep } from '../../fake/fake-step.ts';
import { fakeWorld } from '../../fake/fake-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-events-'));
afterAll(() => rmSync(folder, { recursive: true }));
const color = pc.createColors(false);
const secret = 'hunter2';
const redact = (text: string) => text.replaceAll(secret, '•••');

/** One run with everything in it: done, done before, failed on two hosts for one reason, set aside, undone. */
async function sampleRun(...subscribers: Subscriber[]) {
  const world = fakeWorld(['a', 'b', 'c', 'd']);
  world.fake('a').files.set('/x.0', 'x.0');
  for (const name of ['b', 'c']) world.fake(name).fault(/cat > \/x.1$/, { exit: 1 });
  const gone = Object.assign(fail('COMMAND_FAILED', { command: `ssh ${secret}`, exit: 255, output: 'no route' }), {
    exit: 11,
  });
  world.fake('d').fault(/cat/, { error: gone });
  const graph = toGraph(
    'create-cluster',
    scope('m', scope('t', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')]))),
  );
  const result = await world.run(graph, {
    report: broadcast(...subscribers),
    resumeCommand: 'kubexm create cluster --resume',
  });
  return { world, graph, result };
}

it('are a log that programs can read, without secrets', async () => {
  const lines: string[] = [];
  await sampleRun(jsonLog((line) => lines.push(line), redact));
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
  expect(lines.join('')).not.toContain(secret);
  expect(lines.join('')).toContain('•••');
});

it('are kept in a database where there is one', async () => {
  const store = await openEventStore(join(folder, 'kubexm.db'), redact);
  if (!store) return;
  await sampleRun(store.subscriber);
  const events = store.events('test');
  expect(events.length).toBeGreaterThan(8);
  expect(events.at(-1)).toMatchObject({ event: 'run-ended', level: 'error', pipeline: 'create-cluster' });
  expect(JSON.stringify(events)).not.toContain(secret);
  expect(store.events('other')).toEqual([]);
  expect(statSync(join(folder, 'kubexm.db')).mode & 0o777).toBe(0o600);
  store[Symbol.dispose]();
});

it('become metrics, over HTTP and as a file', async () => {
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

describe('for people', () => {
  it('end in causes, not echoes, and in how to go on', async () => {
    const summary = createSummary();
    const { result } = await sampleRun(summary.subscriber);
    const text = resultText(result, summary, { color, log: 'log.jsonl' });
    expect(summary.causes().map(({ type, steps, hosts }) => [type, steps, hosts.map(({ name }) => name)])).toEqual([
      ['quarantined', ['x.0'], ['d']],
      ['failed', ['x.1'], ['b', 'c']],
    ]);
    expect(text).toContain('x x.1 failed on b, c');
    expect(text).toContain('quarantined at x.0');
    expect(text).toContain('Resume  kubexm create cluster --resume');
    expect(text).toMatch(/State +Task t was rolled back on /);
    expect(text).toContain('Log     log.jsonl');
    expect(text.match(/exited with 1/g)).toHaveLength(1);
  });

  it('are lines without a terminal', async () => {
    const lines: string[] = [];
    using view = createPlainView((line) => lines.push(line));
    await sampleRun(view.subscriber);
    expect(lines[0]).toBe('create-cluster: 8 steps on 4 hosts');
    expect(lines).toContain('a  x.1  done');
    expect(lines.filter((line) => line.includes('quarantined'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('create-cluster: failed');
  });

  it('are a picture on a terminal: step, bar, time left, and the last line of what hangs', async () => {
    const world = fakeWorld(['a', 'b']);
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')]));
    await world.run(graph);
    const model = createProgressModel();
    const [begun, ...rest] = world.events;
    model.add(begun!);
    const first = rest.filter((event) => 'node' in event && event.node.id === 'x.0@a');
    for (const event of first) model.add(event);
    const started = rest.find((event) => event.type === 'started' && event.node.id === 'x.1@a')!;
    model.add(started);
    if (started.type === 'started') model.add({ ...started, type: 'said', line: 'waiting for etcd' });
    const lines = renderRun(model.now(), begun!.at + 40_000, { columns: 120, rows: 24 }, color);
    expect(lines[0]).toBe('p  ████░░░░░░░░░░░░  1/4  about 2 min 0 s left');
    expect(lines[1]).toMatch(
      /^ {2}a {2}████████░{8} {2}1\/2 {2}about 40 s left {2}x\.1 40 s {2}no output for 40 s {2}waiting for etcd$/,
    );
    expect(renderRun(model.now(), begun!.at, { columns: 20, rows: 2 }, color).every((line) => line.length < 20)).toBe(
      true,
    );
  });

  it('are drawn over the last picture, and are gone at the end', async () => {
    let written = '';
    {
      using view = createLiveView({ columns: 80, rows: 24, write: (text) => (written += text) }, color, 'p', redact);
      await sampleRun(view.subscriber);
    }
    expect(written).toContain('create-cluster');
    expect(written.endsWith('\x1b[5A\x1b[J')).toBe(true);
  });

  it.each([
    [{ isTTY: true }, { json: false, verbose: false }, /create-cluster {2}░/],
    [{ isTTY: true }, { json: false, verbose: true }, /^create-cluster: 8 steps on 4 hosts\n/],
    [{ isTTY: false }, { json: false, verbose: false }, /^create-cluster: 8 steps on 4 hosts\n/],
    [{ isTTY: true }, { json: true, verbose: false }, /^\{"timestamp"/],
  ])('are shown on %j with %j as is fit there, without secrets', async (stream, options, wanted) => {
    let written = '';
    const write = (text: string) => (written += text);
    {
      using view = openView({ columns: 80, rows: 24, write, ...stream }, { title: 'p', color, redact, ...options });
      await sampleRun(view.subscriber);
    }
    expect(written).toMatch(wanted);
    expect(written).not.toContain(secret);
  });

  it('show no part of a secret where a line is cut or broken', async () => {
    let written = '';
    const world = fakeWorld(['a']);
    await world.run(toGraph('p', chain(world.hosts, [fakeStep('x.0')])));
    vi.useFakeTimers();
    const [begun, started] = [world.events[0]!, world.events.find(({ type }) => type === 'started')!];
    for (let columns = 40; columns < 80; columns++) {
      using view = createLiveView({ columns, rows: 24, write: (text) => (written += text) }, color, 'p', redact);
      view.subscriber(begun);
      view.subscriber(started);
      if (started.type === 'started') view.subscriber({ ...started, type: 'said', line: `uses ${secret} here` });
      vi.advanceTimersByTime(100);
    }
    vi.useRealTimers();
    expect(written).toContain('uses •');
    expect(written).not.toContain(secret.slice(0, 4));
    const phrase = new Secret('two words of it').reveal();
    for (let columns = 10; columns < 40; columns++)
      expect(wrap(`the pass phrase is ${phrase} there`, columns)).not.toMatch(/two|words/);
  });

  it('of a dry run are diffs', async () => {
    const world = fakeWorld(['a']);
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0')]));
    expect(previewText(await preview(graph, world), color)).toBe(
      [
        'x.0@a  ',
        '  ~ write /x.0: /x.0 is not there',
        '      -',
        '      +x.0',
        'Plan: 1 to change, 0 unchanged. Nothing was changed.',
      ].join('\n'),
    );
  });
});

it('does not end a run when a subscriber breaks', async () => {
  const told: string[] = [];
  const breaks = () => {
    throw new Error('the disk of the log is full');
  };
  const warned: string[] = [];
  const onWarning = (warning: Error) => void warned.push(warning.message);
  process.on('warning', onWarning);
  const { result } = await sampleRun(breaks, (event) => void told.push(event.type));
  await new Promise(setImmediate);
  process.off('warning', onWarning);
  expect(warned).toContain('the disk of the log is full');
  expect(told.length).toBeGreaterThan(5);
  expect(result.outcome).toBe('failed');
});

it('knows runs by ids that sort by time', async () => {
  const first = newRunId(new Date('2026-11-17T10:14:02Z'));
  expect(first).toMatch(/^20261117-101402-[0-9a-f]{4}$/);
  expect(await listRuns(folder, 'none')).toEqual([]);
  expect([eventsPath('/w'), lockFolder('/w', 'prod')]).toEqual(['/w/.kubexm/kubexm.db', '/w/.kubexm/prod/lock']);
  expect(runPaths('/w', 'prod', first).journal).toBe(`/w/.kubexm/prod/runs/${first}/journal.jsonl`);
});
