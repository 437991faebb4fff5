import pc from 'picocolors';
import { expect, it, vi } from 'vitest';
import { createLiveView, renderRun } from '../../../../src/cli/execute/live-view.ts';
import { createPlainView } from '../../../../src/cli/execute/plain-view.ts';
import { previewText } from '../../../../src/cli/execute/preview-text.ts';
import { createProgressModel } from '../../../../src/cli/execute/progress-model.ts';
import { resultText } from '../../../../src/cli/execute/result-text.ts';
import { openView } from '../../../../src/cli/execute/view.ts';
import { wrap } from '../../../../src/cli/format/error-text.ts';
import { Secret } from '../../../../src/common/secret.ts';
import { preview } from '../../../../src/engine/preview.ts';
import { createSummary } from '../../../../src/engine/summary.ts';
import { chain, scope } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import { fakeStep } from '../../../fake/fake-step.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';
import { CLIPBOARD, sampleRun, SECRET } from '../../../fake/sample-run.ts';

const color = pc.createColors(false);

it('prints each cause once, the resulting state and how to resume', async () => {
  const summary = createSummary();
  const { result } = await sampleRun(summary.subscriber);
  const text = resultText(result, summary, { color, log: 'log.jsonl' });
  expect(summary.causes().map(({ type, steps, hosts }) => [type, steps, hosts.map(({ name }) => name)])).toEqual([
    ['quarantined', ['x.0'], ['d']],
    ['failed', ['x.1'], ['b', 'c']],
  ]);
  expect(text).toContain('x x.1 failed on b, c');
  expect(text).toContain('Task    Write two files (t)');
  expect(text).toContain('quarantined at x.0');
  expect(text).toContain('Resume  kubexm create cluster --resume');
  expect(text).toMatch(/State +Task t was rolled back on /);
  expect(text).toContain('Log     log.jsonl');
  expect(text.match(/exited with 1/g)).toHaveLength(1);
});

it('prints lines without a terminal', async () => {
  const lines: string[] = [];
  using view = createPlainView((line) => lines.push(line));
  await sampleRun(view.subscriber);
  expect(lines[0]).toBe('create-cluster: 8 steps on 4 hosts');
  expect(lines).toContain('a  x.1  done');
  expect(lines.filter((line) => line.includes('quarantined'))).toHaveLength(1);
  expect(lines.at(-1)).toBe('create-cluster: failed');
});

it('prints the messages of a step that waits for the user, even without --verbose', async () => {
  const world = fakeWorld(['a']);
  const steps = [fakeStep('x.0'), fakeStep('x.1', { showsOutput: true })];
  await world.run(toGraph('p', chain(world.hosts, steps)));
  const lines: string[] = [];
  using view = createPlainView((line) => lines.push(line));
  for (const event of world.events) {
    view.subscriber(event);
    if (event.type === 'started') view.subscriber({ ...event, type: 'said', line: 'waiting for a budget' });
  }
  expect(lines.filter((line) => line.includes('waiting'))).toEqual(['a  x.1  waiting for a budget']);
});

it('draws progress bars, remaining time and the last output of each host', async () => {
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

it('redraws the live view in place and clears it at the end', async () => {
  let written = '';
  {
    using view = createLiveView(
      { columns: 80, rows: 24, write: (text) => (written += text) },
      color,
      'Create a cluster',
    );
    await sampleRun(view.subscriber);
  }
  expect(written).toContain('Create a cluster');
  expect(written.endsWith('\x1b[5A\x1b[J')).toBe(true);
});

it.each([
  [{ isTTY: true }, { json: false, verbose: false }, /Create a cluster {2}░/],
  [{ isTTY: true }, { json: false, verbose: true }, /^create-cluster: 8 steps on 4 hosts\n/],
  [{ isTTY: false }, { json: false, verbose: false }, /^create-cluster: 8 steps on 4 hosts\n/],
  [{ isTTY: true }, { json: true, verbose: false }, /^\{"timestamp"/],
])('opens the view for %j with %j, without secrets and control sequences of hosts', async (stream, options, wanted) => {
  let written = '';
  const write = (text: string) => (written += text);
  {
    using view = openView(
      { columns: 80, rows: 24, write, ...stream },
      { title: 'Create a cluster', color, ...options },
    );
    await sampleRun(view.subscriber);
  }
  expect(written).toMatch(wanted);
  expect(written).not.toContain(SECRET);
  expect(written).not.toContain(CLIPBOARD);
  expect(written).not.toContain('52;c');
});

it('shows no part of a secret where a line is cut or wrapped', async () => {
  let written = '';
  const world = fakeWorld(['a']);
  await world.run(toGraph('p', chain(world.hosts, [fakeStep('x.0')])));
  vi.useFakeTimers();
  const [begun, started] = [world.events[0]!, world.events.find(({ type }) => type === 'started')!];
  for (let columns = 40; columns < 80; columns++) {
    using view = createLiveView({ columns, rows: 24, write: (text) => (written += text) }, color, 'p');
    view.subscriber(begun);
    view.subscriber(started);
    if (started.type === 'started') view.subscriber({ ...started, type: 'said', line: `uses ${SECRET} here` });
    vi.advanceTimersByTime(100);
  }
  vi.useRealTimers();
  expect(written).toContain('uses •');
  expect(written).not.toContain(SECRET.slice(0, 4));
  const phrase = new Secret('two words of it').reveal();
  for (let columns = 10; columns < 40; columns++)
    expect(wrap(`the pass phrase is ${phrase} there`, columns)).not.toMatch(/two|words/);
});

it('prints the diffs of a dry run', async () => {
  const world = fakeWorld(['a']);
  const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0')]));
  expect(previewText(await preview(graph, world), color)).toBe(
    [
      'x.0@a  ',
      '  ~ write /x.0: /x.0 does not exist',
      '      -',
      '      +x.0',
      'Plan: 1 to change, 0 unchanged. Nothing was changed.',
    ].join('\n'),
  );
});

it('shows the title of the task until the step prints something', async () => {
  const world = fakeWorld(['a']);
  await world.run(toGraph('p', scope('t', chain(world.hosts, [fakeStep('x.0')]), 'Write a file')));
  const model = createProgressModel();
  const [begun, started] = [world.events[0]!, world.events.find(({ type }) => type === 'started')!];
  model.add(begun);
  model.add(started);
  const hostLine = () => renderRun(model.now(), started.at + 2000, { columns: 120, rows: 24 }, color)[1];
  expect(hostLine()).toMatch(/0\/1 {2}x\.0 2 s {2}Write a file$/);
  if (started.type === 'started') model.add({ ...started, type: 'said', line: 'half of it' });
  expect(hostLine()).toMatch(/0\/1 {2}x\.0 2 s {2}half of it$/);
});

it.each([
  ['tabs', 'Importing\telapsed: 3 s', /Importing elapsed: 3 s$/],
  ['escape sequences', '\u001b[32mok\u001b[39m\r', /x\.0 2 s {2}ok$/],
  ['wide characters', '正在导入镜像'.repeat(20), /^.{1,100}$/],
])('keeps a host on one line whatever it prints: %s', async (_, line, expected) => {
  const world = fakeWorld(['a']);
  await world.run(toGraph('p', chain(world.hosts, [fakeStep('x.0')])));
  const model = createProgressModel();
  const [begun, started] = [world.events[0]!, world.events.find(({ type }) => type === 'started')!];
  model.add(begun);
  model.add(started);
  if (started.type === 'started') model.add({ ...started, type: 'said', line });
  const [, hostLine = ''] = renderRun(model.now(), started.at + 2000, { columns: 120, rows: 24 }, color);
  expect(hostLine).toMatch(expected);
  const wide = hostLine.match(/\p{Script=Han}/gu)?.length ?? 0;
  expect(hostLine.length + wide).toBeLessThan(120);
});
