import type { Connector } from '../src/connector/connector.ts';
import { nodesOf } from '../src/plan/graph.ts';
import { toGraph } from '../src/plan/to-graph.ts';
import { on } from '../src/plan/fragment.ts';
import { runStep, type ChangeLog } from '../src/engine/attempt/run-step.ts';
import { createRunner } from '../src/runner/create-runner.ts';
import { sh } from '../src/runner/command.ts';
import { gatherFacts } from '../src/runner/facts/gather.ts';
import { command } from '../src/step/common/command.ts';
import { directory } from '../src/step/common/directory.ts';
import { file } from '../src/step/common/file.ts';
import { runningService } from '../src/step/common/running-service.ts';
import { sysctl } from '../src/step/common/sysctl.ts';
import type { StepContext } from '../src/step/contract/part.ts';
import { defineStep } from '../src/step/contract/step.ts';
import { NO_API } from '../test/fake/fake-context.ts';

/** Round trips of one operation, and the limit that the design sets. */
export interface RoundTrips {
  readonly what: string;
  readonly count: number;
  readonly limit: number;
}

/** Counts round trips: facts and an unchanged step must each take one. */
export async function roundTrips(host: Connector): Promise<readonly RoundTrips[]> {
  const count = async <T>(action: () => Promise<T>) => {
    const before = host.roundTrips;
    const value = await action();
    return { value, count: host.roundTrips - before };
  };
  const facts = await count(() => gatherFacts(host));
  const ctx = contextOf(host, createRunner(host, facts.value));
  const [node] = nodesOf(toGraph('bench', on([ctx.host], step)));
  const first = await count(() => runStep(node!, ctx, NO_LOG));
  const again = await count(() => runStep(node!, ctx, NO_LOG));
  if (first.value !== 'done' || again.value !== 'skipped')
    throw new Error(`unexpected outcome: ${first.value}, then ${again.value}`);
  const queries = await count(() => Promise.all(Array.from({ length: 100 }, () => host.query('true'))));
  return [
    { what: 'facts', count: facts.count, limit: 1 },
    { what: 'an unchanged step of 6 parts', count: again.count, limit: 1 },
    { what: '100 queries of one tick', count: queries.count, limit: 1 },
  ];
}

const step = defineStep({
  name: 'bench.step',
  summary: 'Apply parts of all kinds',
  parts: () => [
    directory({ path: '/etc/bench' }),
    file({ path: '/etc/bench/one', content: 'one\n' }),
    file({ path: '/etc/bench/two', content: 'two\n', mode: 0o600 }),
    sysctl({ path: '/etc/sysctl.d/99-bench.conf', values: { 'net.ipv4.ip_forward': 1 } }),
    runningService({ unit: 'ssh.service' }),
    command({
      key: 'command:touch',
      summary: 'touch',
      check: sh`test -e /etc/bench/three`,
      run: sh`touch /etc/bench/three`,
    }),
  ],
});

const NO_LOG: ChangeLog = { knows: () => false, write: () => Promise.resolve() };

function contextOf(connector: Connector, runner: StepContext['runner']): StepContext {
  const host = { name: connector.host, address: '127.0.0.1', roles: [] };
  return {
    run: 'bench',
    host,
    hosts: { all: [host], withRole: () => [host] },
    facts: runner.facts,
    runner,
    api: NO_API,
    on: () => runner,
    cache: { get: () => undefined, set() {} },
    keepDir: '/var/lib/kubexm/bench/keep',
    originDir: '/var/lib/kubexm/bench/before',
    stagingDir: '/var/lib/kubexm/bench/staging',
    say() {},
    signal: new AbortController().signal,
  };
}
