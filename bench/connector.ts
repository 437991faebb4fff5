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
import { medianDuration } from './measure.ts';
import { writeResults } from './results.ts';
import { roundTrips } from './round-trips.ts';

/** The connector compared with plain SSH: medians on one machine, and many hosts in parallel. */
const NAME = 'benchconn';
const MACHINES = 10;
// Five SSH ports per machine, so that 10 machines cause the handshakes and processes of 50 hosts.
const PORTS = [2201, 2202, 2203, 2204, 2205];
const SIZE = 500 * 1000 * 1000;
const MB = SIZE / 1e6;
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
try {
  const lab = await labUp({ name: NAME, machines: MACHINES });
  await Promise.all(lab.machines.map(openPorts));
  const [machine] = lab.machines;
  if (!machine) throw new Error('the lab has no machine');
  await using host = connectorOf(lab, machine, machine.port);
  const rows = [
    ...(await scripts(lab, machine, host)),
    ...(await manyHosts(lab)),
    ...(await files(lab, machine, host)),
  ];
  const trips = await roundTrips(host);
  writeResults('connector', [
    '| kubexm | ms | plain SSH | ms |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ([what, ms, other = '', otherMs]) => `| ${what} | ${ms.toFixed(1)} | ${other} | ${otherMs?.toFixed(1) ?? ''} |`,
    ),
    '',
    `Medians. The 50 hosts are ${MACHINES} machines with ${PORTS.length} SSH ports each.`,
    '',
    '| round trips | count | limit |',
    '| --- | --- | --- |',
    ...trips.map(({ what, count, limit }) => `| ${what} | ${count} | ${limit} |`),
  ]);
  if (trips.some(({ count, limit }) => count > limit)) process.exitCode = 1;
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

type Row = readonly [what: string, ms: number, other?: string, otherMs?: number];

async function scripts(lab: Lab, machine: Machine, host: Connector): Promise<readonly Row[]> {
  const raw = await rawClient(machine, await readFile(keyOf(lab), 'utf8'));
  const query = (count: number) => () =>
    Promise.all(Array.from({ length: count }, () => host.query('test -e /etc/passwd')));
  const fifty = (action: () => Promise<unknown>) => Promise.all(Array.from({ length: 50 }, action));
  await query(1)();
  const plain = 'ssh2 exec';
  const plainMs = await medianDuration(40, () => rawExec(raw, 'true'));
  const rows: readonly Row[] = [
    ['query, 1 script', await medianDuration(40, query(1)), plain, plainMs],
    ['query, 10 scripts of one tick', await medianDuration(40, query(10)), `10 × ${plain}, sequentially`, plainMs * 10],
    [
      'query, 100 scripts of one tick',
      await medianDuration(20, query(100)),
      `100 × ${plain}, sequentially`,
      plainMs * 100,
    ],
    ['exec, supervised', await medianDuration(40, () => host.exec('true')), plain, plainMs],
    [
      '50 execs in parallel',
      await medianDuration(3, () => fifty(() => host.exec('true'))),
      `50 × ${plain}, 8 in parallel`,
      await medianDuration(3, () => inLanes(8, 50, () => rawExec(raw, 'true'))),
    ],
  ];
  raw.end();
  return rows;
}

/** Includes the login. */
async function manyHosts(lab: Lab): Promise<readonly Row[]> {
  const endpoints = lab.machines.flatMap((machine) => PORTS.map((port) => ({ machine, port })));
  const connect = async () => {
    const hosts = endpoints.map(({ machine, port }) => connectorOf(lab, machine, port));
    await Promise.all(hosts.map((each) => each.query('true')));
    await Promise.all(hosts.map((each) => each[Symbol.asyncDispose]()));
  };
  const noHostKeyCheck = [
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'BatchMode=yes',
  ];
  const ssh = () =>
    Promise.all(
      endpoints.map(({ machine, port }) =>
        run(['ssh', '-F', lab.paths.sshConfig, ...noHostKeyCheck, '-p', String(port), machine.name, 'true']),
      ),
    );
  return [
    [
      'connect to 50 hosts and query each',
      await medianDuration(3, connect),
      '50 × `ssh HOST true` in parallel',
      await medianDuration(3, ssh),
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
  const up = await medianDuration(3, upload);
  return [
    [
      `upload of ${MB} MB, hashed and synced on the host`,
      up,
      'scp',
      await medianDuration(3, scp(big, `${machine.name}:/root/scp`)),
    ],
    [`upload of ${MB} MB that the host has already`, await medianDuration(3, () => host.upload(source, put))],
    [
      `download of ${MB} MB, hashed on both sides`,
      await medianDuration(3, download),
      'scp',
      await medianDuration(3, scp(`${machine.name}:/root/scp`, join(folder, 'scp'))),
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

async function openPorts(machine: Machine): Promise<void> {
  const ports = PORTS.map((port) => `Port ${port}`).join('\\n');
  await scriptOn(
    machine,
    `printf 'AddressFamily inet\\nMaxStartups 100\\nMaxSessions 100\\n${ports}\\n' >/etc/ssh/sshd_config.d/ports.conf; systemctl restart ssh`,
  );
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
