import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type Client } from 'ssh2';
import type { Connector } from '../src/connector/connector.ts';
import { knownHosts } from '../src/connector/known-hosts.ts';
import { fileSource } from '../src/connector/upload-source.ts';
import { sshConnector } from '../src/connector/ssh.ts';
import { labDown } from '../src/lab/down.ts';
import { scriptOn, type Machine } from '../src/lab/machine/machine.ts';
import { run } from '../src/lab/run.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { writeResults } from './results.ts';
import { roundTrips } from './round-trips.ts';

/** What the connector adds to bare SSH, side by side: medians of turns on one machine, and many hosts at once. */
const NAME = 'benchconn';
const MACHINES = 10;
// Five doors to each machine: sshd, its processes and the handshakes are those of 50 hosts.
const PORTS = [2201, 2202, 2203, 2204, 2205];
const SIZE = 500 * 1000 * 1000;
const MB = SIZE / 1e6;
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
try {
  const lab = await labUp({ name: NAME, machines: MACHINES });
  await Promise.all(lab.machines.map(openDoors));
  const [machine] = lab.machines;
  if (!machine) throw new Error('the lab has no machine');
  await using host = connectorOf(lab, machine, machine.port);
  const rows = [...(await scripts(lab, machine, host)), ...(await crowds(lab)), ...(await files(lab, machine, host))];
  const trips = await roundTrips(host);
  writeResults('connector', [
    '| what | ms | bare | ms |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ([what, ms, bare = '', bareMs]) => `| ${what} | ${ms.toFixed(1)} | ${bare} | ${bareMs?.toFixed(1) ?? ''} |`,
    ),
    '',
    `Medians. Where 50 hosts are named, they are ${MACHINES} machines with ${PORTS.length} ports each.`,
    '',
    '| round trips | counted | at most |',
    '| --- | --- | --- |',
    ...trips.map(({ what, count, most }) => `| ${what} | ${count} | ${most} |`),
  ]);
  if (trips.some(({ count, most }) => count > most)) process.exitCode = 1;
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

type Row = readonly [what: string, ms: number, bare?: string, bareMs?: number];

async function scripts(lab: Lab, machine: Machine, host: Connector): Promise<readonly Row[]> {
  const raw = await rawClient(machine, await readFile(keyOf(lab), 'utf8'));
  const ask = (count: number) => () =>
    Promise.all(Array.from({ length: count }, () => host.query('test -e /etc/passwd')));
  const fifty = (act: () => Promise<unknown>) => Promise.all(Array.from({ length: 50 }, act));
  await ask(1)();
  const bare = 'ssh2 exec';
  const bareMs = await median(40, () => rawExec(raw, 'true'));
  const rows: readonly Row[] = [
    ['look, 1 question', await median(40, ask(1)), bare, bareMs],
    ['look, 10 questions of one tick', await median(40, ask(10)), `10 × ${bare}, one after the other`, bareMs * 10],
    ['look, 100 questions of one tick', await median(20, ask(100)), `100 × ${bare}, one after the other`, bareMs * 100],
    ['exec, supervised', await median(40, () => host.exec('true')), bare, bareMs],
    [
      '50 execs at a time, all',
      await median(3, () => fifty(() => host.exec('true'))),
      `50 × ${bare}, 8 at a time`,
      await median(3, () => inLanes(8, 50, () => rawExec(raw, 'true'))),
    ],
  ];
  raw.end();
  return rows;
}

/** Login included: who is there first, and how long until all are. */
async function crowds(lab: Lab): Promise<readonly Row[]> {
  const doors = lab.machines.flatMap((machine) => PORTS.map((port) => ({ machine, port })));
  const connect = async () => {
    const hosts = doors.map(({ machine, port }) => connectorOf(lab, machine, port));
    await Promise.all(hosts.map((each) => each.query('true')));
    await Promise.all(hosts.map((each) => each[Symbol.asyncDispose]()));
  };
  const trusting = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'BatchMode=yes'];
  const ssh = () =>
    Promise.all(
      doors.map(({ machine, port }) =>
        run(['ssh', '-F', lab.paths.sshConfig, ...trusting, '-p', String(port), machine.name, 'true']),
      ),
    );
  return [
    [
      'connect to 50 hosts and ask each',
      await median(3, connect),
      '50 × `ssh HOST true` at once',
      await median(3, ssh),
    ],
  ];
}

async function files(lab: Lab, machine: Machine, host: Connector): Promise<readonly Row[]> {
  const big = join(folder, 'big');
  await writeFile(big, randomBytes(SIZE));
  const source = await fileSource(big);
  const put = { path: '/root/upload', mode: 0o644, owner: 'root:root' };
  const scp = (from: string, to: string) => () => run(['scp', '-q', '-F', lab.paths.sshConfig, from, to]);
  const upload = async () => {
    await host.exec('rm -f /root/upload');
    await host.upload(source, put);
  };
  const download = async () => {
    await rm(join(folder, 'down'), { force: true });
    await host.download('/root/upload', join(folder, 'down'));
  };
  const up = await median(3, upload);
  return [
    [`upload of ${MB} MB, summed and synced there`, up, 'scp', await median(3, scp(big, `${machine.name}:/root/scp`))],
    [`upload of ${MB} MB that is there already`, await median(3, () => host.upload(source, put))],
    [
      `download of ${MB} MB, summed there and here`,
      await median(3, download),
      'scp',
      await median(3, scp(`${machine.name}:/root/scp`, join(folder, 'scp'))),
    ],
  ];
}

function keyOf(lab: Lab): string {
  return join(lab.paths.folder, 'id_ed25519');
}

function connectorOf(lab: Lab, { name, address }: Machine, port: number): Connector {
  const target = { name, address, port, user: 'root', privateKeyPath: keyOf(lab), timeoutMs: 60_000 };
  return sshConnector(target, knownHosts(join(folder, 'known_hosts')));
}

async function openDoors(machine: Machine): Promise<void> {
  const ports = PORTS.map((port) => `Port ${port}`).join('\\n');
  await scriptOn(
    machine,
    `printf 'AddressFamily inet\\nMaxStartups 100\\nMaxSessions 100\\n${ports}\\n' >/etc/ssh/sshd_config.d/doors.conf; systemctl restart ssh`,
  );
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

async function inLanes(lanes: number, times: number, work: () => Promise<unknown>): Promise<void> {
  let left = times;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function rawClient({ address: host, port }: Machine, privateKey: string): Promise<Client> {
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
