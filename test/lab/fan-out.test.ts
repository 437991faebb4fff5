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
let connectors: readonly Connector[];
let contextFactories: readonly (() => MachineContext)[];
let cache: Cache;
let folder: string;

beforeAll(async () => {
  lab = await labUp({ name, machines: 3 });
  connectors = lab.machines.map((machine) => connect(lab, machine));
  contextFactories = await Promise.all(connectors.map(stepContexts));
  folder = await mkdtemp(join(tmpdir(), 'kubexm-fan-'));
});
afterAll(async () => {
  for (const connector of connectors) await connector[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  cache = createCache();
  cache.set(UPLOADS, slowLine());
});

/** An uplink that is slow and carries one upload at a time. */
function slowLine(): AdaptiveLimiter {
  const limiter = createAdaptiveLimiter({ first: 1, most: 1 });
  return { limit: 1, rate: 1_000_000, run: (act) => limiter.run(act) };
}

/** A context for each machine that can reach the other machines. */
function contexts(): readonly MachineContext[] {
  const all = contextFactories.map((create) => create());
  return all.map((ctx, index) => ({
    ...ctx,
    cache,
    host: { ...ctx.host, address: lab.machines[index]!.address },
    on: (host) => all.find((one) => one.host.name === host.name)!.runner,
  }));
}

async function newFile(): Promise<StagedFile> {
  const path = join(folder, randomBytes(4).toString('hex'));
  await writeFile(path, randomBytes(5_000_000));
  return { path, ...(await hashFile(path)) };
}

const checksumOn = async (machine: Machine, { sha256 }: StagedFile) =>
  (await scriptOn(machine, `sha256sum </var/lib/staging/${sha256}`)).slice(0, 64);

it('uploads a file once over a slow uplink, and hosts copy it from each other', async () => {
  const file = await newFile();
  const all = contexts();
  await Promise.all(all.map((ctx) => stage(ctx, file, 'it')));
  for (const machine of lab.machines) expect(await checksumOn(machine, file)).toBe(file.sha256);
  const said = all.flatMap((ctx) => ctx.said);
  expect(said.filter((line) => line.startsWith('uploading'))).toHaveLength(1);
  expect(said.filter((line) => line.startsWith('downloading it from another host'))).toHaveLength(2);
  for (const machine of lab.machines)
    expect(await scriptOn(machine, 'ls /var/lib/staging | grep peer || true; pgrep -a perl || true')).toBe('');
});

it('falls back to an upload if the copy from another host is corrupt', async () => {
  const file = await newFile();
  const [first, second] = contexts();
  await stage(first!, file, 'it');
  await scriptOn(lab.machines[0]!, `printf x | dd of=/var/lib/staging/${file.sha256} conv=notrunc 2>/dev/null`);
  await stage(second!, file, 'it');
  expect(second!.said.join('\n')).toMatch(/download from \S+ failed[^]*uploading it/);
  expect(await checksumOn(lab.machines[1]!, file)).toBe(file.sha256);
});

it('falls back to an upload if a host cannot be reached, and copies from another host afterwards', async () => {
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
  expect(second!.said.join('\n')).toMatch(/download from \S+ failed: [^]*timed out waiting for a connection/);
  expect(third!.said.at(-1)).toMatch(/^downloading/);
  expect(third!.said.join('\n')).not.toContain('uploading');
  for (const machine of lab.machines) expect(await checksumOn(machine, file)).toBe(file.sha256);
});

it('uploads small files directly', async () => {
  const path = join(folder, 'small');
  await writeFile(path, 'small');
  const file = { path, ...(await hashFile(path)) };
  const [first, second] = contexts();
  await stage(first!, file, 'it');
  await stage(second!, file, 'it');
  expect(second!.said.join('\n')).not.toContain('downloading');
});
