import { performance } from 'node:perf_hooks';
import type { Cluster } from '../src/config/cluster.ts';
import { loadCluster } from '../src/config/load.ts';
import { createStop } from '../src/engine/stop.ts';
import { labDown } from '../src/lab/down.ts';
import { run } from '../src/lab/run.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { finishInfrastructure } from '../src/module/infrastructure/finish.ts';
import { prepareInfrastructure } from '../src/module/infrastructure/prepare.ts';
import { definePipeline } from '../src/pipeline/pipeline.ts';
import { sequence } from '../src/plan/fragment.ts';
import { nodesOf } from '../src/plan/graph.ts';
import { plan } from '../src/runtime/plan.ts';
import { runPlan } from '../src/runtime/run-plan.ts';
import { openSession } from '../src/runtime/session.ts';
import { writeResults } from './results.ts';

/** What a create with nothing to do costs, beside a login to the same hosts. */
const NAME = 'benchprep';
const MACHINES = 5;
const TURNS = 5;
const prepareHosts = definePipeline({
  name: 'create-cluster',
  command: 'create cluster',
  title: 'Prepare the hosts',
  plan: ({ module }) => sequence(module(prepareInfrastructure), module(finishInfrastructure)),
});

const ASKED = ['system.timezone=Asia/Shanghai', 'system.ntpServers=[node1]', 'extra.resolves=[{address: 127.0.0.53}]'];
try {
  const lab = await labUp({ name: NAME, machines: MACHINES });
  const cluster = await loadCluster(lab.paths.cluster, { overrides: ASKED });
  const first = await create(cluster, lab);
  const again = await turns(() => create(cluster, lab));
  const logins = await turns(() => login(lab));
  const { steps, trips } = again.at(-1)!;
  writeResults('prepare', [
    `${MACHINES} machines, medians of ${TURNS} turns, each with connections of its own.`,
    '',
    '| what | ms | round trips per host | steps per host |',
    '| --- | --- | --- | --- |',
    `| create that prepares everything | ${first.ms.toFixed(0)} | ${first.trips} | ${first.steps} |`,
    `| create with nothing to do | ${median(again.map(({ ms }) => ms)).toFixed(0)} | ${trips} | ${steps} |`,
    `| \`ssh HOST true\` on all hosts at once | ${median(logins.map(({ ms }) => ms)).toFixed(0)} | | |`,
  ]);
  if (again.some((one) => one.trips > one.steps || one.changed > 0)) process.exitCode = 1;
} finally {
  await labDown(NAME);
}

async function create(cluster: Cluster, lab: Lab) {
  const started = performance.now();
  await using session = await openSession(cluster, lab.paths.folder);
  const graph = plan(prepareHosts, cluster);
  const result = await runPlan(session, graph, {
    workdir: lab.paths.folder,
    command: 'create cluster',
    selection: '',
    line: 'create cluster',
    goOn: '',
    resume: undefined,
    rollback: false,
    leaves: false,
    subscribers: [],
    stop: createStop(),
  });
  if (result.outcome !== 'done') throw new Error('the create failed', { cause: result });
  const trips = session.hosts.all.map((host) => session.connector(host).roundTrips);
  return {
    ms: performance.now() - started,
    trips: Math.max(...trips),
    steps: nodesOf(graph).length / session.hosts.all.length,
    changed: result.changed.length,
  };
}

async function login(lab: Lab) {
  const started = performance.now();
  await Promise.all(lab.machines.map(({ name }) => run(['ssh', '-F', lab.paths.sshConfig, name, 'true'])));
  return { ms: performance.now() - started };
}

async function turns<Result>(act: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let turn = 0; turn < TURNS; turn++) results.push(await act());
  return results;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
