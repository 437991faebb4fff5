import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCache } from '../src/cache/cache.ts';
import type { Connector } from '../src/connector/connector.ts';
import { knownHosts } from '../src/connector/known-hosts.ts';
import { sshConnector } from '../src/connector/ssh.ts';
import { labDown } from '../src/lab/down.ts';
import { scriptOn } from '../src/lab/machine/machine.ts';
import { run } from '../src/lab/run.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { hashFile } from '../src/resource/cache/hash.ts';
import { stage, type StagedFile } from '../src/step/transfer/staging.ts';
import { stepContexts } from '../test/lab/support/step-context.ts';
import { durationOf, median } from './measure.ts';
import { writeResults } from './results.ts';

/**
 * Files on one, five and eight machines, compared with `scp` followed by the checksum and the sync that kubexm does. All
 * machines share the CPUs of this computer, so they are also compared with links limited to the speed of a real network.
 */
const NAME = 'benchup';
const MACHINES = 8;
const SIZE = Number(process.env['KUBEXM_BENCH_MB'] ?? 500) * 1000 * 1000;
const ROUNDS = 3;
const RATE = '500mbit';
const LIMIT = { one: 1.1, eight: 2.2 };
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));

interface Measured {
  readonly seconds: number;
  /** MB sent by this machine. */
  readonly sent: number;
}

try {
  const lab = await labUp({ name: NAME, machines: MACHINES });
  const connectors = lab.machines.map(({ name, address, port }) =>
    sshConnector(
      { name, address, port, user: 'root', privateKeyPath: join(lab.paths.folder, 'id_ed25519'), timeoutMs: 60_000 },
      knownHosts(join(folder, 'known_hosts')),
    ),
  );
  const path = join(folder, 'file');
  await writeFile(path, randomBytes(SIZE));
  const file = { path, ...(await hashFile(path)) };
  const bridge = /dev (\S+)/.exec(await run(['ip', '-o', 'route', 'get', lab.machines[0]!.address]))?.[1] ?? '';
  const unlimited = await compare(lab, connectors, file, bridge);
  const isLimited = await limitLinks(lab, bridge);
  const limited = isLimited ? await compare(lab, connectors, file, bridge) : undefined;
  for (const connector of connectors) await connector[Symbol.asyncDispose]();
  const goal = limited ?? unlimited;
  const met = goal.one <= LIMIT.one && goal.eight <= LIMIT.eight;
  writeResults('uploads', [
    `A file of ${SIZE / 1e6} MB on lab machines of one computer with ${cpus().length} cores; load average over 15 minutes ${loadavg()[2]?.toFixed(1)}.`,
    `Medians of ${ROUNDS} rounds in turn.`,
    '',
    '| links | machines | how | seconds | MB sent by this machine |',
    '| --- | --- | --- | --- | --- |',
    ...unlimited.rows.map((row) => `| not limited ${row}`),
    ...(limited?.rows.map((row) => `| ${RATE}/s ${row}`) ?? []),
    '',
    `Ratios${limited ? ' with limited links' : ''}: one machine to scp, sha256sum and sync ${goal.one.toFixed(2)} (limit: ${LIMIT.one}); eight machines to one ${goal.eight.toFixed(2)} (limit: ${LIMIT.eight}). ${met ? 'Met' : 'Not met'}.`,
    ...(limited
      ? [`Without limited links: ${unlimited.one.toFixed(2)} and ${unlimited.eight.toFixed(2)}.`]
      : ['The kernel cannot limit the links.']),
  ]);
  process.exitCode = met ? 0 : 1;
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

async function compare(lab: Lab, connectors: readonly Connector[], file: StagedFile, bridge: string) {
  const ways: readonly (readonly [number, string, (count: number) => Promise<unknown>])[] = [
    [1, 'scp, then sha256sum and sync', (count) => copyWithScp(lab, file, count)],
    [1, 'kubexm', (count) => stageOn(lab, connectors, file, count)],
    [5, 'scp in parallel, then sha256sum and sync', (count) => copyWithScp(lab, file, count)],
    [5, 'kubexm', (count) => stageOn(lab, connectors, file, count)],
    [8, 'kubexm', (count) => stageOn(lab, connectors, file, count)],
  ];
  const measured = ways.map((): Measured[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, [count, , copy]] of ways.entries()) {
      await Promise.all(lab.machines.map((machine) => scriptOn(machine, 'rm -rf /root/scp /var/lib/staging; sync')));
      const before = await sentBytes(bridge);
      const seconds = (await durationOf(() => copy(count))) / 1000;
      measured[at]!.push({ seconds, sent: ((await sentBytes(bridge)) - before) / 1e6 });
    }
  const medians = measured.map((each) => median(each.map(({ seconds }) => seconds)));
  const [scp = 1, one = 1, , , eight = 1] = medians;
  const rows = ways.map(([count, how], at) => {
    const sent = median(measured[at]!.map((each) => each.sent));
    return `| ${count} | ${how} | ${medians[at]!.toFixed(1)} | ${sent.toFixed(0)} |`;
  });
  return { rows, one: one / scp, eight: eight / one };
}

const copyWithScp = (lab: Lab, { path }: StagedFile, count: number) =>
  Promise.all(
    lab.machines.slice(0, count).map(async ({ name }) => {
      await run(['scp', '-q', '-F', lab.paths.sshConfig, path, `${name}:/root/scp`]);
      await run(['ssh', '-F', lab.paths.sshConfig, name, 'sha256sum /root/scp && sync /root/scp']);
    }),
  );

async function stageOn(lab: Lab, connectors: readonly Connector[], file: StagedFile, count: number): Promise<void> {
  const cache = createCache();
  const contexts = await Promise.all(connectors.slice(0, count).map(async (each) => (await stepContexts(each))()));
  const all = contexts.map((ctx, at) => ({
    ...ctx,
    cache,
    host: { ...ctx.host, address: lab.machines[at]!.address },
    on: ({ name }: { readonly name: string }) => contexts.find((one) => one.host.name === name)!.runner,
  }));
  await Promise.all(all.map((ctx) => stage(ctx, file, 'a file')));
  const direct = contexts.flatMap(({ said }) => said).filter((line) => /failed/.test(line));
  if (direct.length > 0) process.stderr.write(`${direct.join('\n')}\n`);
}

async function sentBytes(bridge: string): Promise<number> {
  return Number(await readFile(`/sys/class/net/${bridge}/statistics/tx_bytes`, 'utf8'));
}

/** Limits what this computer and each machine can send; false if the kernel does not support it. */
async function limitLinks(lab: Lab, bridge: string): Promise<boolean> {
  const limit = (device: string) => `tc qdisc replace dev ${device} root tbf rate ${RATE} burst 1mb latency 100ms`;
  try {
    await run(['sh', '-c', limit(bridge)]);
    await Promise.all(lab.machines.map((machine) => scriptOn(machine, limit('eth0'))));
    return true;
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return false;
  }
}
