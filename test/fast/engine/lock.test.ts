import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { Connector } from '../../../src/connector/connector.ts';
import { lockCluster, type LockOptions } from '../../../src/engine/lock/lock.ts';
import { localPlace } from '../../../src/engine/lock/local-place.ts';
import { remotePlace, type LockHost } from '../../../src/engine/lock/remote-place.ts';
import { fail } from '../../../src/common/errors.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-lock-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

/** A host whose shell is the one of this machine. */
const host: LockHost = {
  host: 'node1',
  exec: (script, { stdin = '' } = {}) =>
    new Promise((resolve) => {
      const child = execFile('/bin/sh', ['-c', script], (error, stdout, stderr) =>
        resolve({ exit: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
      child.stdin?.on('error', () => {});
      child.stdin?.end(stdin);
    }),
};

/** Two operators on two machines see the host's lock only; on one machine they see the local one, too. */
const places = () => {
  const folder = join(root, String(++count));
  return {
    folder,
    operator: (name: string, options: Partial<LockOptions> = {}) =>
      lockCluster({
        cluster: 'prod',
        what: 'create cluster',
        run: name,
        local: localPlace(join(folder, name)),
        hosts: [remotePlace(host, join(folder, 'host'))],
        ...options,
      }),
    file: (name: string) => {
      const [last] = readdirSync(join(folder, name)).sort((a, b) => Number(b) - Number(a));
      return join(folder, name, last!);
    },
  };
};

describe.each(['local', 'on a host'] as const)('a lock %s', (where) => {
  const names = where === 'local' ? (['same', 'same'] as const) : (['one', 'two'] as const);
  const file = where === 'local' ? 'same' : 'host';

  it('shows a second operator who works on what, and is free again afterwards', async () => {
    const { operator } = places();
    {
      await using first = await operator(names[0]);
      expect(first.fence).toBe(1);
      const refused = await operator(names[1]).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'LOCKED', exit: 15 });
      expect(String(refused)).toMatch(/@.* runs create cluster since \d{4}-.*\(run (same|one)\)/);
    }
    await using second = await operator(names[1]);
    expect(second.fence).toBe(2);
  });

  it('is given to one of many who come at once', async () => {
    const { operator } = places();
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => operator(where === 'local' ? 'same' : `op${at}`)),
    );
    const won = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(won).toHaveLength(1);
    await won[0]![Symbol.asyncDispose]();
  });

  it('of a run that was killed on this machine can be taken at once', async () => {
    const { operator, folder } = places();
    await operator(names[0]);
    for (const place of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\/\d+$/.test(name),
    ))
      writeFileSync(
        join(folder, place),
        readFileSync(join(folder, place), 'utf8').replace(/"pid":\d+/, `"pid":${deadPid()}`),
      );
    await using taken = await operator(names[1]);
    expect(taken.fence).toBe(2);
  });

  it('without a sign of life for 30 s can be taken, and its old holder learns of it', async () => {
    const { operator, file: fileOf } = places();
    const first = await operator(names[0], { heartbeatMs: 3_600_000 });
    // As if the machine had been asleep: its heart did not beat.
    const old = new Date(Date.now() - 31_000);
    for (const each of new Set([file, 'host'])) utimesSync(fileOf(each), old, old);
    await using second = await operator(names[1]);
    expect(second.fence).toBeGreaterThan(first.fence);
    await first.renew();
    expect(first.lost.aborted).toBe(true);
    expect(() => first.check()).toThrow('took it over');
    expect(() => second.check()).not.toThrow();
  });

  it('shows signs of life', async () => {
    const { operator, file: fileOf } = places();
    await using _ = await operator(names[0], { heartbeatMs: 20 });
    const old = new Date(Date.now() - 29_000);
    utimesSync(fileOf(file), old, old);
    await sleep(300);
    await expect(operator(names[1], { staleMs: 5000 })).rejects.toMatchObject({ code: 'LOCKED' });
  });
});

it('is asked of any connector', () => expectTypeOf<Connector>().toExtend<LockHost>());

it('leaves out a host that cannot be reached, and lets go of all when one is held', async () => {
  const { operator, folder } = places();
  const gone: LockHost = {
    host: 'node2',
    exec: () => Promise.reject(Object.assign(fail('INTERRUPTED', {}), { exit: 11 })),
  };
  const here = remotePlace(host, join(folder, 'here'));
  {
    await using lock = await operator('one', { hosts: [remotePlace(gone, '/gone'), here] });
    expect(lock.fence).toBe(1);
    const free = remotePlace(host, join(folder, 'free'));
    await expect(operator('two', { hosts: [free, here] })).rejects.toMatchObject({ code: 'LOCKED' });
    await using third = await operator('three', { hosts: [free] });
    expect(third.fence).toBe(2);
  }
});

it('gives out numbers that only go up, even when a host knew a higher one', async () => {
  const { operator } = places();
  for (let at = 1; at <= 3; at++) await (await operator('one'))[Symbol.asyncDispose]();
  await using far = await operator('two');
  expect(far.fence).toBe(4);
  await far[Symbol.asyncDispose]();
  await using alone = await operator('two', { hosts: [] });
  expect(alone.fence).toBe(5);
});

const deadPid = () => spawnSync('true').pid;
