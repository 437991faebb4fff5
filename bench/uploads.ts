import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCache } from '../src/cache/cache.ts';
import { run } from '../src/lab/run.ts';
import { hashFile } from '../src/resource/cache/hash.ts';
import { stage, type StagedFile } from '../src/step/transfer/staging.ts';
import { stepContexts } from '../test/lab/support/step-context.ts';
import { durationOf, median } from './measure.ts';
import { writeResults } from './results.ts';
import { labHosts, namespaceHosts, type UploadHost, type UploadHosts } from './uploads/hosts.ts';

/**
 * A file on one, five and eight hosts, compared with `scp` followed by the checksum and the sync that kubexm does. All
 * hosts share the CPUs of this computer, so lab machines are also compared with links of the speed of a real network.
 */
const { values: flags } = parseArgs({
  options: { 'without-lab': { type: 'boolean' }, mb: { type: 'string', default: '500' } },
});
const COUNT = 8;
const SIZE = Number(flags.mb) * 1_000_000;
const ROUNDS = 3;
const RATE = '500mbit';
const LIMIT = { one: 1.1, eight: 2.2 };
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
try {
  const path = join(folder, 'file');
  await writeFile(path, randomBytes(SIZE));
  const file = { path, ...(await hashFile(path)) };
  await using all = await (flags['without-lab'] ? namespaceHosts(COUNT, folder) : labHosts('benchup', COUNT, folder));
  const unlimited = await compare(all, file);
  const limited = (await all.limitLinks(RATE)) ? await compare(all, file) : undefined;
  const goal = limited ?? unlimited;
  const met = goal.one <= LIMIT.one && goal.eight <= LIMIT.eight;
  writeResults('uploads', [
    `A file of ${SIZE / 1e6} MB. The hosts are ${all.what} of one computer with ${cpus().length} cores; load average over 15 minutes`,
    `${loadavg()[2]?.toFixed(1)}. Medians of ${ROUNDS} rounds in turn.`,
    '',
    '| links | hosts | how | seconds | MB sent by kubexm |',
    '| --- | --- | --- | --- | --- |',
    ...unlimited.rows.map((row) => `| not limited ${row}`),
    ...(limited?.rows.map((row) => `| ${RATE}/s ${row}`) ?? []),
    '',
    `Ratios${limited ? ' with limited links' : ''}: one host to scp, sha256sum and sync ${goal.one.toFixed(2)} (limit: ${LIMIT.one}); eight hosts to one ${goal.eight.toFixed(2)} (limit: ${LIMIT.eight}). ${met ? 'Met' : 'Not met'}.`,
    ...(limited ? [`Without limited links: ${unlimited.one.toFixed(2)} and ${unlimited.eight.toFixed(2)}.`] : []),
  ]);
  process.exitCode = met ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function compare(all: UploadHosts, file: StagedFile) {
  const { hosts } = all;
  const withScp = (count: number) => Promise.all(hosts.slice(0, count).map((host) => copyWithScp(host, file)));
  const withKubexm = (count: number) => stageOn(hosts.slice(0, count), file);
  const ways = [
    { count: 1, how: 'scp, then sha256sum and sync', copy: withScp },
    { count: 1, how: 'kubexm', copy: withKubexm },
    { count: 5, how: 'scp in parallel, then sha256sum and sync', copy: withScp },
    { count: 5, how: 'kubexm', copy: withKubexm },
    { count: 8, how: 'kubexm', copy: withKubexm },
  ];
  const seconds = ways.map((): number[] => []);
  const sent = ways.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, { count, copy }] of ways.entries()) {
      await Promise.all(hosts.map(({ connector }) => connector.exec('rm -rf /var/lib/scp /var/lib/staging; sync')));
      const before = (await all.sentBytes()) ?? 0;
      seconds[at]!.push((await durationOf(() => copy(count))) / 1000);
      sent[at]!.push(((await all.sentBytes()) ?? 0) - before);
    }
  const medians = seconds.map(median);
  const [scp = 1, one = 1, , , eight = 1] = medians;
  const rows = ways.map(({ count, how, copy }, at) => {
    const mb = copy === withScp ? '' : (median(sent[at]!) / 1e6).toFixed(0);
    return `| ${count} | ${how} | ${medians[at]!.toFixed(1)} | ${mb} |`;
  });
  return { rows, one: one / scp, eight: eight / one };
}

async function copyWithScp({ options, port }: UploadHost, { path }: StagedFile): Promise<void> {
  await run(['scp', '-O', '-q', ...options, '-P', String(port), path, 'root@host:/var/lib/scp']);
  await run(['ssh', ...options, '-p', String(port), 'root@host', 'sha256sum /var/lib/scp && sync /var/lib/scp']);
}

async function stageOn(hosts: readonly UploadHost[], file: StagedFile): Promise<void> {
  const cache = createCache();
  const contexts = await Promise.all(hosts.map(async ({ connector }) => (await stepContexts(connector))()));
  const all = contexts.map((ctx, at) => ({
    ...ctx,
    cache,
    host: { ...ctx.host, address: hosts[at]!.address },
    on: ({ name }: { readonly name: string }) => contexts.find((one) => one.host.name === name)!.runner,
  }));
  await Promise.all(all.map((ctx) => stage(ctx, file, 'a file')));
  const failures = contexts.flatMap(({ said }) => said).filter((line) => line.includes('failed'));
  if (failures.length > 0) process.stderr.write(`${failures.join('\n')}\n`);
}
