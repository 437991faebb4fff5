import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCache } from '../src/cache/cache.ts';
import type { Host } from '../src/common/host.ts';
import { execute } from '../src/engine/execute.ts';
import type { ContextFor } from '../src/engine/execution.ts';
import { openJournal } from '../src/engine/journal/journal.ts';
import { resumeJournal } from '../src/engine/journal/resume.ts';
import { chain, scope, sequence } from '../src/plan/fragment.ts';
import { toGraph } from '../src/plan/to-graph.ts';
import type { StepContext } from '../src/step/contract/part.ts';
import { defineStep } from '../src/step/contract/step.ts';
import { fakeHost } from '../test/fake/fake-host.ts';
import { fakeFacts, fakeRunner } from '../test/fake/fake-runner.ts';
import { hostNamed } from '../test/fake/fake-world.ts';
import { hostsOf, NO_API } from '../test/fake/fake-context.ts';
import { writeResults } from './results.ts';

/**
 * The engine alone: 1,000 hosts x 300 steps in memory, with a journal on disk and a gate after every 30 steps. Each
 * scenario runs in its own process, bundled like the product, so that its peak memory is measured separately.
 */
const HOSTS = 1000;
const TASKS = 10;
const STEPS = 30;
const LIMIT = { seconds: 10, mb: 400 };
const SCENARIOS = ['first run', 'second run, up to date', 'resume of a finished run'] as const;

interface Measurement {
  readonly planning: number;
  readonly seconds: number;
  /** CPU time of this process in seconds. */
  readonly cpu: number;
  readonly done: number;
  readonly skipped: number;
  readonly peakMb: number;
}

const [scenario, journalPath = ''] = process.argv.slice(2);
if (scenario === undefined) await measureAll();
else process.stdout.write(JSON.stringify(await measure(scenario, journalPath)));

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-engine-'));
  // Imported here, because the bundle being measured does not include it.
  const { build } = await import('esbuild');
  const program = join(folder, 'engine.mjs');
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' } as const;
  await build({ entryPoints: ['bench/engine.ts'], outfile: program, external: ['esbuild'], ...options });
  const path = join(folder, 'journal.jsonl');
  const all = SCENARIOS.map((name) => {
    const out = execFileSync(process.execPath, [program, name, path], { encoding: 'utf8' });
    const measurement: Measurement = JSON.parse(out);
    return { name, ...measurement };
  });
  const journalMb = statSync(path).size / 1e6;
  rmSync(folder, { recursive: true });
  // Only the first run has a limit; the others are for comparison.
  const [{ seconds: took, peakMb: most } = { seconds: Infinity, peakMb: Infinity }] = all;
  const met = took <= LIMIT.seconds && most <= LIMIT.mb;
  writeResults('engine', [
    `${HOSTS} hosts x ${TASKS * STEPS} steps in memory, journal on disk (${journalMb.toFixed(0)} MB).`,
    '',
    '| scenario | plan s | seconds | CPU s | steps run | skipped | peak RSS MB |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(
      ({ name, planning, seconds, cpu, done, skipped, peakMb }) =>
        `| ${name} | ${planning.toFixed(2)} | ${seconds.toFixed(2)} | ${cpu.toFixed(2)} | ${done} | ${skipped} | ${peakMb.toFixed(0)} |`,
    ),
    '',
    `Limit for the first run: ${LIMIT.seconds} s, ${LIMIT.mb} MB. ${met ? 'Met' : 'Not met'}.`,
  ]);
  process.exitCode = met ? 0 : 1;
}

async function measure(scenario: string, path: string): Promise<Measurement> {
  const hosts = Array.from({ length: HOSTS }, (_, at) => hostNamed(`node${at + 1}`));
  const planned = time();
  const fresh = scenario === SCENARIOS[0];
  const graph = toGraph('bench', sequence(...Array.from({ length: TASKS }, (_, at) => task(at, hosts, !fresh))));
  const planning = planned();
  const elapsed = time();
  const { journal, state } =
    scenario === SCENARIOS[2]
      ? await resumeJournal({ path })
      : { journal: await openJournal({ path: fresh ? path : `${path}.2` }) };
  const run = { id: 'bench', cluster: 'bench' };
  const { counts } = await execute(graph, { run, contextFor: contexts(hosts), journal, ...(state && { state }) });
  await journal[Symbol.asyncDispose]();
  const { done, skipped } = counts;
  const { user, system } = process.cpuUsage();
  return { planning, seconds: elapsed(), cpu: (user + system) / 1e6, done, skipped, peakMb: peak() };
}

/** Shares the fakes between all steps, so that the engine is measured and not the fakes. */
function contexts(all: readonly Host[]): ContextFor {
  const runner = fakeRunner(fakeHost('none'));
  const [hosts, facts, on, cache] = [hostsOf(all), fakeFacts('none'), () => runner, createCache()] as const;
  return ({ host, step }, signal, say) => ({
    run: 'bench',
    host,
    hosts,
    facts,
    runner,
    api: NO_API,
    on,
    cache,
    originDir: '',
    stagingDir: '',
    keepDir: step.name,
    say,
    signal,
  });
}

function task(at: number, hosts: readonly Host[], isDone: boolean) {
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const name = `part${at}.step${step}`;
    const done = new Set<Host>();
    const part = {
      key: `command:${name}` as const,
      summary: `do ${name}`,
      precheck: async ({ host }: StepContext) =>
        isDone || done.has(host) ? ({ done: true } as const) : ({ done: false, because: 'not yet' } as const),
      remember: async () => null,
      run: async ({ host }: StepContext) => void done.add(host),
      rollback: async ({ host }: StepContext) => void done.delete(host),
    };
    return defineStep({ name, summary: name, parts: () => [part] });
  });
  return scope('module', scope(`task-${at}`, chain(hosts, steps)));
}

/** Not from getrusage, which includes the memory of the parent at the fork. */
function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

function time(): () => number {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}
