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
import { durationOf, median } from './measure.ts';
import { writeResults } from './results.ts';

/** Duration of preparing hosts, new and already prepared, compared with an SSH login to the same hosts. */
const NAME = 'benchprep';
const MACHINES = 5;
const RUNS = 5;
const prepareHosts = definePipeline({
  name: 'create-cluster',
  command: 'create cluster',
  title: 'Prepare the hosts',
  plan: ({ module }) => sequence(module(prepareHostsModule), module(finishHostsModule)),
});

const OVERRIDES = [
  'system.timezone=Asia/Shanghai',
  'system.ntpServers=[node1]',
  'extra.resolves=[{address: 127.0.0.53}]',
];
try {
  const lab = await labUp({ name: NAME, machines: MACHINES });
  const cluster = await loadCluster(lab.paths.cluster, { overrides: OVERRIDES });
  const first = await prepare(cluster, lab);
  const ready: Prepared[] = [];
  const logins: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    ready.push(await prepare(cluster, lab));
    logins.push(await login(lab));
  }
  const again = ready.at(-1) ?? first;
  writeResults('prepare', [
    `The tasks prepare-os and sync-time of \`create cluster\` on ${MACHINES} machines of one computer: names, hosts, resolver, packages,`,
    'time zone, kernel modules, sysctls, firewall, chrony. Each row opens its own connections. Repeated measurements are',
    `the median of ${RUNS} runs. Round trips and steps are those of the slowest host.`,
    '',
    '| | ms | round trips | steps |',
    '| --- | --- | --- | --- |',
    `| new hosts: connect, facts, change everything | ${first.ms.toFixed(0)} | ${first.trips} | ${first.steps} |`,
    `| prepared hosts: connect, facts, check, change nothing | ${median(ready.map(({ ms }) => ms)).toFixed(0)} | ${again.trips} | ${again.steps} |`,
    `| \`ssh HOST true\` on all hosts in parallel | ${median(logins).toFixed(0)} | | |`,
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
  if (result.outcome !== 'done') throw new Error('the run failed', { cause: result });
  const most = (countOf: (host: Host) => number) => Math.max(...session.hosts.all.map(countOf));
  return {
    ms: performance.now() - started,
    trips: most((host) => session.connector(host).roundTrips),
    steps: most((host) => nodesOf(graph).filter((node) => node.host.name === host.name).length),
    changed: result.changed.length,
  };
}

function login(lab: Lab): Promise<number> {
  return durationOf(() =>
    Promise.all(lab.machines.map(({ name }) => run(['ssh', '-F', lab.paths.sshConfig, name, 'true']))),
  );
}
