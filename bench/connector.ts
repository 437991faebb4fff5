import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type Client } from 'ssh2';
import { knownHosts } from '../src/connector/known-hosts.ts';
import { readableFile } from '../src/connector/readable.ts';
import { sshConnector } from '../src/connector/ssh.ts';
import { labDown } from '../src/lab/down.ts';
import { run } from '../src/lab/run.ts';
import { labUp } from '../src/lab/up.ts';
import { writeResults } from './results.ts';

/** What the connector adds to bare SSH: one machine, in turns, medians. */
const NAME = 'benchconn';
const SIZE = 200 * 1000 * 1000;
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
try {
  const lab = await labUp({ name: NAME, machines: 1 });
  const [machine] = lab.machines;
  if (!machine) throw new Error('the lab has no machine');
  const keyPath = join(lab.paths.folder, 'id_ed25519');
  const target = {
    name: machine.name,
    address: machine.address,
    port: machine.port,
    user: 'root',
    privateKeyPath: keyPath,
    timeoutMs: 30_000,
  };
  await using host = sshConnector(target, knownHosts(join(folder, 'known_hosts')));
  const raw = await rawClient(machine.address, machine.port, await readFile(keyPath, 'utf8'));
  const big = join(folder, 'big');
  await writeFile(big, randomBytes(SIZE));
  const source = await readableFile(big);
  const scp = ['scp', '-q', '-F', lab.paths.sshConfig, big, `${machine.name}:/root/scp`];
  const ask = (count: number) => () =>
    Promise.all(Array.from({ length: count }, () => host.look('test -e /etc/passwd')));
  const put = { path: '/root/upload', mode: 0o644, owner: 'root:root' };
  await ask(1)();
  const rows = [
    ['bare ssh2 exec of `true`', await median(40, () => rawExec(raw, 'true'))],
    ['look, 1 question', await median(40, ask(1))],
    ['look, 10 questions of one tick', await median(40, ask(10))],
    ['look, 100 questions of one tick', await median(20, ask(100))],
    ['exec, supervised', await median(40, () => host.exec('true'))],
    [
      '50 execs at a time, all',
      await median(3, () => Promise.all(Array.from({ length: 50 }, () => host.exec('true')))),
    ],
    ['scp of 200 MB', await median(3, () => run(scp))],
    ['upload of 200 MB, summed and synced there', await median(3, () => freshUpload())],
    ['upload of 200 MB that is there already', await median(3, () => host.upload(source, put))],
    ['download of 200 MB', await median(3, () => freshDownload())],
  ] as const;
  raw.end();
  const trips = host.roundTrips;
  await ask(100)();
  writeResults('connector', [
    '| what | median ms |',
    '| --- | --- |',
    ...rows.map(([what, ms]) => `| ${what} | ${ms.toFixed(1)} |`),
    '',
    `100 looks of one tick take ${host.roundTrips - trips} round trip.`,
  ]);

  async function freshUpload() {
    await host.exec('rm -f /root/upload');
    await host.upload(source, put);
  }
  async function freshDownload() {
    await rm(join(folder, 'down'), { force: true });
    await host.download('/root/upload', join(folder, 'down'));
  }
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let turn = 0; turn < times; turn++) {
    const start = performance.now();
    await work();
    samples.push(performance.now() - start);
  }
  return samples.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

function rawClient(host: string, port: number, privateKey: string): Promise<Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.once('connect', () => client.setNoDelay(true));
    client.once('ready', () => resolve(client));
    client.on('error', reject);
    client.connect({ host, port, username: 'root', privateKey });
  });
}

function rawExec(client: Client, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      channel.on('close', () => resolve()).resume();
      channel.stderr.resume();
    });
  });
}
