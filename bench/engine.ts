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
import { toGraph } from '../src/plan/graph.ts';
import { defineStep, type StepContext } from '../src/step/contract/step.ts';
import { fakeHost } from '../test/fake/fake-host.ts';
import { fakeFacts, fakeRunner } from '../test/fake/fake-runner.ts';
import { hostNamed } from '../test/fake/fake-world.ts';
import { hostsOf } from '../test/fake/fake-context.ts';
import { writeResults } from './results.ts';

/**
 * The engine alone: 1,000 hosts x 300 steps in memory, with a journal on disk and a gate after every 30 steps. Each act
 * is a process of its own, built as the program is, so that peaks are not those of the act before or of a loader.
 */
const HOSTS = 1000;
const TASKS = 10;
const STEPS = 30;
const BAR = { seconds: 10, mb: 400 };
const ACTS = ['first run', 'second run, nothing to do', 'resume of a finished run'] as const;

interface Numbers {
  readonly planning: number;
  readonly seconds: number;
  /** Of this process: what it would need on a computer of its own. */
  readonly cpu: number;
  readonly done: number;
  readonly skipped: number;
  readonly peakMb: number;
}

const [act, journalPath = ''] = process.argv.slice(2);
if (act === undefined) await measureAll();
else process.stdout.write(JSON.stringify(await measure(act, journalPath)));

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-engine-'));
  // Only here: the program that is measured does not have it.
  const { build } = await import('esbuild');
  const program = join(folder, 'engine.mjs');
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' } as const;
  await build({ entryPoints: ['bench/engine.ts'], outfile: program, external: ['esbuild'], ...options });
  const path = join(folder, 'journal.jsonl');
  const all = ACTS.map((name) => {
    const out = execFileSync(process.execPath, [program, name, path], { encoding: 'utf8' });
    const numbers: Numbers = JSON.parse(out);
    return { name, ...numbers };
  });
  const journalMb = statSync(path).size / 1e6;
  rmSync(folder, { recursive: true });
  // The others are there to be compared with it.
  const [{ seconds: took, peakMb: most } = { seconds: Infinity, peakMb: Infinity }] = all;
  const met = took <= BAR.seconds && most <= BAR.mb;
  writeResults('engine', [
    `${HOSTS} hosts x ${TASKS * STEPS} steps in memory, journal on disk (${journalMb.toFixed(0)} MB).`,
    '',
    '| act | plan s | seconds | of CPU | steps run | skipped | peak RSS MB |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(
      ({ name, planning, seconds, cpu, done, skipped, peakMb }) =>
        `| ${name} | ${planning.toFixed(2)} | ${seconds.toFixed(2)} | ${cpu.toFixed(2)} | ${done} | ${skipped} | ${peakMb.toFixed(0)} |`,
    ),
    '',
    `Bar of the first run: ${BAR.seconds} s, ${BAR.mb} MB. ${met ? 'Met' : 'Not met'}.`,
  ]);
  process.exitCode = met ? 0 : 1;
}

async function measure(act: string, path: string): Promise<Numbers> {
  const hosts = Array.from({ length: HOSTS }, (_, at) => hostNamed(`node${at + 1}`));
  const planned = time();
  const fresh = act === ACTS[0];
  const graph = toGraph('bench', sequence(...Array.from({ length: TASKS }, (_, at) => task(at, hosts, !fresh))));
  const planning = planned();
  const elapsed = time();
  const { journal, state } =
    act === ACTS[2]
      ? await resumeJournal({ path })
      : { journal: await openJournal({ path: fresh ? path : `${path}.2` }) };
  const run = { id: 'bench', cluster: 'bench' };
  const { counts } = await execute(graph, { run, contextFor: contexts(hosts), journal, ...(state && { state }) });
  await journal[Symbol.asyncDispose]();
  const { done, skipped } = counts;
  const { user, system } = process.cpuUsage();
  return { planning, seconds: elapsed(), cpu: (user + system) / 1e6, done, skipped, peakMb: peak() };
}

/** The same few objects for every step: the engine is measured, not the fakes. */
function contexts(all: readonly Host[]): ContextFor {
  const runner = fakeRunner(fakeHost('none'));
  const [hosts, facts, on, cache] = [hostsOf(all), fakeFacts('none'), () => runner, createCache()] as const;
  return ({ host, step }, signal, say) => ({
    run: 'bench',
    host,
    hosts,
    facts,
    runner,
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

/** Not by getrusage: that counts what the parent had when it forked. */
function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

function time(): () => number {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
}
