import { performance } from 'node:perf_hooks';
import type { Host } from '../src/common/host.ts';
import type { Cluster } from '../src/config/model/cluster.ts';
import { loadCluster } from '../src/config/load/load.ts';
import { createStop } from '../src/engine/stop.ts';
import { labDown } from '../src/lab/down.ts';
import { run } from '../src/lab/run.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { finishHostsModule, prepareHostsModule } from '../src/module/infrastructure.ts';
import { definePipeline } from '../src/pipeline/pipeline.ts';
import { sequence } from '../src/plan/fragment.ts';
import { nodesOf } from '../src/plan/graph.ts';
import { plan } from '../src/runtime/plan/plan.ts';
import { runPlan } from '../src/runtime/run/run-plan.ts';
import { openSession } from '../src/runtime/session/session.ts';
import { median } from './median.ts';
import { writeResults } from './results.ts';

/** What preparing hosts costs, and what it costs when they are ready, beside a login to the same hosts. */
const NAME = 'benchprep';
const MACHINES = 5;
const TURNS = 5;
const prepareHosts = definePipeline({
  name: 'create-cluster',
  command: 'create cluster',
  title: 'Prepare the hosts',
  plan: ({ module }) => sequence(module(prepareHostsModule), module(finishHostsModule)),
});

const ASKED = ['system.timezone=Asia/Shanghai', 'system.ntpServers=[node1]', 'extra.resolves=[{address: 127.0.0.53}]'];
try {
  const lab = await labUp({ name: NAME, machines: MACHINES });
  const cluster = await loadCluster(lab.paths.cluster, { overrides: ASKED });
  const first = await prepare(cluster, lab);
  const ready: Prepared[] = [];
  const logins: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    ready.push(await prepare(cluster, lab));
    logins.push(await login(lab));
  }
  const again = ready.at(-1) ?? first;
  writeResults('prepare', [
    `The tasks prepare-os and sync-time of \`create cluster\` on ${MACHINES} machines of one computer: names, hosts, resolver, packages,`,
    'time zone, modules, settings, firewall, chrony. Each row with connections of its own; what was done more than once is',
    `the median of ${TURNS} turns. Round trips and steps are those of the host that took most.`,
    '',
    '| what | ms | round trips | steps |',
    '| --- | --- | --- | --- |',
    `| hosts that have nothing yet: connect, facts, change all | ${first.ms.toFixed(0)} | ${first.trips} | ${first.steps} |`,
    `| hosts that are ready: connect, facts, look, change nothing | ${median(ready.map(({ ms }) => ms)).toFixed(0)} | ${again.trips} | ${again.steps} |`,
    `| \`ssh HOST true\` on all hosts at once | ${median(logins).toFixed(0)} | | |`,
  ]);
  if (ready.some(({ trips, steps, changed }) => trips > steps || changed > 0)) process.exitCode = 1;
} finally {
  await labDown(NAME);
}

interface Prepared {
  readonly ms: number;
  readonly trips: number;
  readonly steps: number;
  readonly changed: number;
}

async function prepare(cluster: Cluster, lab: Lab): Promise<Prepared> {
  const started = performance.now();
  await using session = await openSession(cluster, lab.paths.folder);
  const graph = plan(prepareHosts, cluster);
  const result = await runPlan(session, graph, {
    workdir: lab.paths.folder,
    command: 'create cluster',
    selection: '',
    line: 'create cluster',
    resumeCommand: '',
    resume: undefined,
    rollback: false,
    removesCluster: false,
    subscribers: [],
    stop: createStop(),
  });
  if (result.outcome !== 'done') throw new Error('the create failed', { cause: result });
  const most = (countOf: (host: Host) => number) => Math.max(...session.hosts.all.map(countOf));
  return {
    ms: performance.now() - started,
    trips: most((host) => session.connector(host).roundTrips),
    steps: most((host) => nodesOf(graph).filter((node) => node.host.name === host.name).length),
    changed: result.changed.length,
  };
}

async function login(lab: Lab): Promise<number> {
  const started = performance.now();
  await Promise.all(lab.machines.map(({ name }) => run(['ssh', '-F', lab.paths.sshConfig, name, 'true'])));
  return performance.now() - started;
}
