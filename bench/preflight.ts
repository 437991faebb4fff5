import { availableParallelism, loadavg } from 'node:os';
import { loadCluster } from '../src/config/load/load.ts';
import { createStop } from '../src/engine/stop.ts';
import { labDown } from '../src/lab/down.ts';
import { run } from '../src/lab/run.ts';
import { labUp } from '../src/lab/up.ts';
import { checkHosts } from '../src/runtime/run/check-hosts.ts';
import { openSession } from '../src/runtime/session/session.ts';
import { durationOf, median } from './measure.ts';
import { writeResults } from './results.ts';

/** Round trips and duration of the preflight checks on ten machines, compared with `ssh HOST true`. */
const NAME = 'benchpf';
const RUNS = 5;
try {
  const lab = await labUp({ name: NAME, machines: 10 });
  const cluster = await loadCluster(lab.paths.cluster);
  const ssh = lab.machines.map(({ name }) => ['ssh', '-F', lab.paths.sshConfig, name, 'true']);
  const times: { check: number; ssh: number }[] = [];
  let trips: readonly number[] = [];
  let findings: readonly string[] = [];
  for (let count = 0; count < RUNS; count++) {
    const login = await durationOf(() => Promise.all(ssh.map((argv) => run(argv))));
    const check = await durationOf(async () => {
      await using session = await openSession(cluster, lab.paths.folder);
      const options = { nodes: [], ignore: [], lint: [], stop: createStop() };
      findings = (await checkHosts(session, options)).map(({ severity }) => severity);
      trips = session.hosts.all.map((host) => session.connector(host).roundTrips);
    });
    times.push({ check: check / 1000, ssh: login / 1000 });
  }
  writeResults('preflight', [
    '| on 10 machines of one computer | median s |',
    '| --- | --- |',
    `| \`ssh HOST true\`, all in parallel | ${median(times.map((each) => each.ssh)).toFixed(2)} |`,
    `| check hosts: connect, facts, probe with 200 synced writes on etcd hosts, host-to-host connections | ${median(times.map((each) => each.check)).toFixed(2)} |`,
    '',
    `Round trips per host: ${Math.min(...trips)} to ${Math.max(...trips)}. False errors: ${findings.filter((each) => each === 'error').length}. Load average: ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} processors.`,
  ]);
} finally {
  await labDown(NAME);
}
