import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, type ContextFor } from '../src/engine/execute.ts';
import { openJournal } from '../src/engine/journal.ts';
import { readJournal } from '../src/engine/read-journal.ts';
import { applyRecord, newRunState } from '../src/engine/run-state.ts';
import { chain, scope, sequence } from '../src/plan/fragment.ts';
import { toGraph } from '../src/plan/graph.ts';
import { createCache } from '../src/cache/cache.ts';
import { defineStep, type StepContext } from '../src/step/step.ts';
import type { Host } from '../src/common/host.ts';
import { fakeFacts, fakeRunner } from '../src/testing/fake-runner.ts';
import { fakeHost } from '../src/testing/fake-host.ts';
import { hostNamed, hostsOf } from '../src/testing/fake-world.ts';
import { writeResults } from './results.ts';

/** The engine alone: 1,000 hosts x 300 steps in memory, with a journal on disk and a gate after every 30 steps. */
const HOSTS = 1000;
const TASKS = 10;
const STEPS = 30;
const BAR = { seconds: 10, mb: 400 };

const folder = mkdtempSync(join(tmpdir(), 'kubexm-engine-'));
const path = join(folder, 'journal.jsonl');
const hosts = Array.from({ length: HOSTS }, (_, at) => hostNamed(`node${at + 1}`));
const all = hostsOf(hosts);
const runner = fakeRunner(fakeHost('none'));
const facts = fakeFacts('none');
const cache = createCache();
const contextFor: ContextFor = ({ host, step }, signal, say) => ({
  host,
  hosts: all,
  facts,
  runner,
  on: () => runner,
  cache,
  keepDir: step.name,
  say,
  signal,
});

const planned = time();
const graph = toGraph('bench', sequence(...Array.from({ length: TASKS }, (_, at) => task(at))));
const planning = planned();

const first = await run('first run', {});
const again = await run('second run, nothing to do', {});
const resumed = await resume();
const journalMb = statSync(path).size / 1e6;
rmSync(folder, { recursive: true });

const peak = process.resourceUsage().maxRSS / 1024;
const met = first.seconds <= BAR.seconds && peak <= BAR.mb;
writeResults('engine', [
  `${HOSTS} hosts x ${TASKS * STEPS} steps in memory, journal on disk (${journalMb.toFixed(0)} MB).`,
  '',
  '| act | seconds | steps run | skipped |',
  '| --- | --- | --- | --- |',
  `| plan | ${planning.toFixed(2)} | | |`,
  ...[first, again, resumed].map(
    ({ name, seconds, counts }) => `| ${name} | ${seconds.toFixed(2)} | ${counts.done} | ${counts.skipped} |`,
  ),
  '',
  `Peak RSS ${peak.toFixed(0)} MB. Bar: first run ${BAR.seconds} s, ${BAR.mb} MB. ${met ? 'Met' : 'Not met'}.`,
]);
process.exitCode = met ? 0 : 1;

function task(at: number) {
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const name = `part${at}.step${step}`;
    const done = new Set<Host>();
    const part = {
      summary: `do ${name}`,
      precheck: async ({ host }: StepContext) =>
        done.has(host) ? ({ done: true } as const) : ({ done: false, because: 'not yet' } as const),
      remember: async () => null,
      run: async ({ host }: StepContext) => void done.add(host),
      rollback: async ({ host }: StepContext) => void done.delete(host),
    };
    return defineStep({ name, summary: name, parts: () => [part] });
  });
  return scope('module', scope(`task-${at}`, chain(hosts, steps)));
}

async function run(name: string, options: Partial<Parameters<typeof execute>[1]>) {
  const { state, ...rest } = options;
  const end = state ? await readJournal(path, () => {}) : undefined;
  await using journal = await openJournal({ path, ...end });
  const elapsed = time();
  const { counts } = await execute(graph, {
    run: { id: 'bench', cluster: 'bench' },
    contextFor,
    journal,
    ...(state && { state }),
    ...rest,
  });
  return { name, seconds: elapsed(), counts };
}

async function resume() {
  const elapsed = time();
  const state = newRunState();
  await readJournal(path, (record) => applyRecord(state, record));
  const { counts } = await run('', { state });
  return { name: 'resume of a finished run', seconds: elapsed(), counts };
}

function time(): () => number {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}
