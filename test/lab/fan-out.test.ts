import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hashFile } from '../../src/resource/cache/hash.ts';
import { createCache, type Cache } from '../../src/cache/cache.ts';
import type { Connector } from '../../src/connector/connector.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { stage, UPLOADS, type StagedFile } from '../../src/step/transfer/staging.ts';
import { createAdaptiveLimiter, type AdaptiveLimiter } from '../../src/util/adaptive-limiter.ts';
import { connect } from './support/connect.ts';
import { stepContexts, type MachineContext } from './support/step-context.ts';
import { labNames } from './support.ts';

const named = await labNames();
const name = named('fan');
let lab: Lab;
let ways: readonly Connector[];
let makers: readonly (() => MachineContext)[];
let cache: Cache;
let folder: string;

beforeAll(async () => {
  lab = await labUp({ name, machines: 3 });
  ways = lab.machines.map((machine) => connect(lab, machine));
  makers = await Promise.all(ways.map(stepContexts));
  folder = await mkdtemp(join(tmpdir(), 'kubexm-fan-'));
});
afterAll(async () => {
  for (const way of ways) await way[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  cache = createCache();
  cache.set(UPLOADS, slowLine());
});

/** A line on which one upload goes after another, slowly. */
function slowLine(): AdaptiveLimiter {
  const gate = createAdaptiveLimiter({ first: 1, most: 1 });
  return { limit: 1, rate: 1_000_000, run: (act) => gate.run(act) };
}

/** The context of each machine; they know each other. */
function contexts(): readonly MachineContext[] {
  const own = makers.map((make) => make());
  return own.map((ctx, place) => ({
    ...ctx,
    cache,
    host: { ...ctx.host, address: lab.machines[place]!.address },
    on: (host) => own.find((one) => one.host.name === host.name)!.runner,
  }));
}

async function newFile(): Promise<StagedFile> {
  const path = join(folder, randomBytes(4).toString('hex'));
  await writeFile(path, randomBytes(5_000_000));
  return { path, ...(await hashFile(path)) };
}

const sumOn = async (machine: Machine, { sha256 }: StagedFile) =>
  (await scriptOn(machine, `sha256sum </var/lib/staging/${sha256}`)).slice(0, 64);

it('hosts hand a file on when the way to them is slow, and it is uploaded once', async () => {
  const file = await newFile();
  const all = contexts();
  await Promise.all(all.map((ctx) => stage(ctx, file, 'it')));
  for (const machine of lab.machines) expect(await sumOn(machine, file)).toBe(file.sha256);
  const said = all.flatMap((ctx) => ctx.said);
  expect(said.filter((line) => line.startsWith('uploading'))).toHaveLength(1);
  expect(said.filter((line) => line.startsWith('getting it from another host'))).toHaveLength(2);
  for (const machine of lab.machines)
    expect(await scriptOn(machine, 'ls /var/lib/staging | grep peer || true; pgrep -a perl || true')).toBe('');
});

it('is uploaded after all when what came from a host is not what it should be', async () => {
  const file = await newFile();
  const [first, second] = contexts();
  await stage(first!, file, 'it');
  await scriptOn(lab.machines[0]!, `printf x | dd of=/var/lib/staging/${file.sha256} conv=notrunc 2>/dev/null`);
  await stage(second!, file, 'it');
  expect(second!.said.join('\n')).toMatch(/could not hand it on[^]*uploading it/);
  expect(await sumOn(lab.machines[1]!, file)).toBe(file.sha256);
});

it('is uploaded after all when hosts cannot reach each other, and that is tried once', async () => {
  const file = await newFile();
  const [first, second, third] = contexts();
  await stage(first!, file, 'it');
  const from = lab.machines.slice(1).map(({ address }) => address);
  await scriptOn(
    lab.machines[0]!,
    `nft 'add table inet shut; add chain inet shut in { type filter hook input priority 0; }; add rule inet shut in ip saddr { ${from.join(', ')} } drop'`,
  );
  await stage(second!, file, 'it');
  await stage(third!, file, 'it');
  await scriptOn(lab.machines[0]!, 'nft delete table inet shut');
  expect(second!.said.join('\n')).toMatch(/could not hand it on: [^]*nobody came/);
  expect(third!.said.join('\n')).not.toContain('getting');
  for (const machine of lab.machines) expect(await sumOn(machine, file)).toBe(file.sha256);
});

it('what is small is uploaded at once', async () => {
  const path = join(folder, 'small');
  await writeFile(path, 'small');
  const file = { path, ...(await hashFile(path)) };
  const [first, second] = contexts();
  await stage(first!, file, 'it');
  await stage(second!, file, 'it');
  expect(second!.said.join('\n')).not.toContain('getting');
});
