import { availableParallelism, loadavg } from 'node:os';
import { loadCluster } from '../src/config/load/load.ts';
import { createStop } from '../src/engine/stop.ts';
import { labDown } from '../src/lab/down.ts';
import { run } from '../src/lab/run.ts';
import { labUp } from '../src/lab/up.ts';
import { checkHosts } from '../src/runtime/run/check-hosts.ts';
import { openSession } from '../src/runtime/session/session.ts';
import { median } from './median.ts';
import { writeResults } from './results.ts';

/** What a check of ten machines costs: round trips, and time against `ssh HOST true` on the same machines. */
const NAME = 'benchpf';
const TURNS = 5;
try {
  const lab = await labUp({ name: NAME, machines: 10 });
  const cluster = await loadCluster(lab.paths.cluster);
  const ssh = lab.machines.map(({ name }) => ['ssh', '-F', lab.paths.sshConfig, name, 'true']);
  const times: { check: number; ssh: number }[] = [];
  let trips: readonly number[] = [];
  let findings: readonly string[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const bare = await timed(() => Promise.all(ssh.map((argv) => run(argv))));
    const check = await timed(async () => {
      await using session = await openSession(cluster, lab.paths.folder);
      const options = { nodes: [], ignore: [], lint: [], stop: createStop() };
      findings = (await checkHosts(session, options)).map(({ severity }) => severity);
      trips = session.hosts.all.map((host) => session.connector(host).roundTrips);
    });
    times.push({ check, ssh: bare });
  }
  writeResults('preflight', [
    '| what, on 10 machines of one computer | median s |',
    '| --- | --- |',
    `| \`ssh HOST true\`, all at once | ${median(times.map((each) => each.ssh)).toFixed(2)} |`,
    `| check hosts: connect, facts, probe with 200 synced writes on etcd hosts, calls between hosts | ${median(times.map((each) => each.check)).toFixed(2)} |`,
    '',
    `Round trips per host: ${Math.min(...trips)} to ${Math.max(...trips)}. Errors found on good machines: ${findings.filter((each) => each === 'error').length}. Load of the computer meanwhile: ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} processors.`,
  ]);
} finally {
  await labDown(NAME);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
