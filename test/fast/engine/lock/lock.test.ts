import { execFile, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { Connector } from '../../../../src/connector/connector.ts';
import { lockCluster, type LockOptions } from '../../../../src/engine/lock/lock.ts';
import { localLockStore } from '../../../../src/engine/lock/local-lock.ts';
import { hostLockStore, type LockHost } from '../../../../src/engine/lock/host-lock.ts';
import { fail } from '../../../../src/common/errors/errors.ts';
import { chain } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/graph.ts';
import { fakeStep } from '../../../fake/fake-step.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-lock-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

/** A host whose shell is the one of this machine. */
const shell = (script: string, stdin = '') =>
  new Promise<{ exit: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile('/bin/sh', ['-c', script], (error, stdout, stderr) =>
      resolve({ exit: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });
const hostNamed = (name: string): LockHost => ({
  host: name,
  query: (script) => shell(script),
  exec: (script, { stdin } = {}) => shell(script, stdin),
});
const host = hostNamed('node1');

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
        local: localLockStore(join(folder, name)),
        hosts: [hostLockStore(host, join(folder, 'host'))],
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
      expect(String(refused)).toMatch(/@.* has been running create cluster since \d{4}-.*\(run (same|one)\)/);
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
    expect(() => first.check()).toThrow('took over the lock');
    expect(() => second.check()).not.toThrow();
  });

  it('is lost, too, to somebody who took it over and let go of it since', async () => {
    const { operator, file: fileOf } = places();
    const first = await operator(names[0], { heartbeatMs: 3_600_000 });
    const old = new Date(Date.now() - 31_000);
    for (const each of new Set([file, 'host'])) utimesSync(fileOf(each), old, old);
    await (await operator(names[1]))[Symbol.asyncDispose]();
    await first.renew();
    expect(() => first.check()).toThrow('a user whose run has ended took over the lock');
  });

  it('shows signs of life', async () => {
    const { operator, file: fileOf } = places();
    await using _ = await operator(names[0], { heartbeatMs: 20 });
    const old = new Date(Date.now() - 29_000);
    utimesSync(fileOf(file), old, old);
    await vi.waitUntil(() => statSync(fileOf(file)).mtimeMs > old.getTime(), { timeout: 60_000 });
    await expect(operator(names[1], { staleMs: 20_000 })).rejects.toMatchObject({ code: 'LOCKED' });
  });
});

it('leaves nothing on a host when the cluster is gone, unless somebody else has the lock by now', async () => {
  const { folder, operator } = places();
  const at = join(folder, 'lib/clusters/prod/lock');
  const hosts = () => [hostLockStore(host, at)];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'stays'), '');
  {
    await using lock = await operator('one', { hosts: hosts() });
    lock.removeOnRelease();
    expect(readdirSync(at)).toEqual(['1']);
  }
  expect(readdirSync(folder).toSorted()).toEqual(['one', 'stays']);
  expect(await hostLockStore(host, at).renew(1)).toBeDefined();
  expect(readdirSync(folder).toSorted()).toEqual(['one', 'stays']);
  await using _ = await operator('two', { hosts: hosts() });
  await hostLockStore(host, at).release(0, true);
  expect(readdirSync(at)).toEqual(['1']);
});

it('is asked of any connector', () => expectTypeOf<Connector>().toExtend<LockHost>());

/** A host that says no to everything. */
const no = async () => {
  throw fail('FACTS_UNREADABLE', { host: 'node2', reason: 'it is gone' });
};
const goneHost: LockHost = { host: 'node2', query: no, exec: no };

it('leaves out a host that cannot be reached, and lets go of all when one is held', async () => {
  const { operator, folder } = places();
  const here = hostLockStore(host, join(folder, 'here'));
  {
    await using lock = await operator('one', { hosts: [hostLockStore(goneHost, '/gone'), here] });
    expect(lock.fence).toBe(1);
    await expect(lock.join('node2')).rejects.toMatchObject({ code: 'FACTS_UNREADABLE' });
    await lock.join('node1');
    const free = hostLockStore(hostNamed('node0'), join(folder, 'free'));
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

describe('a host that is slow to answer', () => {
  /** Answers when it is told to. */
  function slowPlace(folder: string) {
    let answer = () => {};
    const awake = new Promise<void>((resolve) => (answer = resolve));
    return { place: hostLockStore(hostNamed('slow'), folder, () => awake), answer: () => answer() };
  }

  it('does not hold up the start, and is locked before its first step', async () => {
    const { operator, folder } = places();
    const { place, answer } = slowPlace(join(folder, 'slow'));
    const here = hostLockStore(host, join(folder, 'here'));
    await using lock = await operator('one', { hosts: [place, here], patienceMs: 1000 });
    expect(readdirSync(folder).sort()).toEqual(['here', 'one']);
    const joined = lock.join('slow');
    answer();
    await joined;
    const other = hostLockStore(hostNamed('slow'), join(folder, 'slow'));
    await expect(operator('two', { hosts: [other] })).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('and turns out to be held ends the run before it is touched', async () => {
    const { operator, folder } = places();
    const { place, answer } = slowPlace(join(folder, 'slow'));
    await using _ = await operator('other', { hosts: [hostLockStore(hostNamed('slow'), join(folder, 'slow'))] });
    await using lock = await operator('one', { hosts: [place], patienceMs: 20 });
    answer();
    const world = fakeWorld(['fast', 'slow']);
    const connect = async ({ name }: { readonly name: string }) => {
      await lock.join(name);
      return { bootId: () => undefined };
    };
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0')]));
    const { exit, error } = await world.run(graph, { connect });
    expect({ exit, error }).toMatchObject({ exit: 15, error: { code: 'LOCKED' } });
    expect(world.fake('slow').files.size).toBe(0);
  });

  it('and comes when all is over is left alone', async () => {
    const { operator, folder } = places();
    const { place, answer } = slowPlace(join(folder, 'slow'));
    const lock = await operator('one', { hosts: [place], patienceMs: 20 });
    await lock[Symbol.asyncDispose]();
    answer();
    await expect(lock.join('slow')).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(readdirSync(folder)).toEqual(['one']);
  });
});

it('does not wait for ever to let go of a host that is gone', async () => {
  const { operator, folder } = places();
  const hung = { ...hostLockStore(host, join(folder, 'host')), release: () => new Promise<void>(() => {}) };
  const lock = await operator('one', { hosts: [hung] });
  await lock[Symbol.asyncDispose]();
  await using _ = await operator('one', { hosts: [] });
}, 20_000);

it('says which host cannot keep a lock, and lets the others be worked on', async () => {
  const { operator, folder } = places();
  const full: LockHost = {
    ...hostNamed('full'),
    exec: (script) => shell(script.replace('cat > ".new.$$"', 'cat > /dev/full'), '{"owner":"x"}'),
  };
  const hosts = [hostLockStore(full, join(folder, 'full')), hostLockStore(host, join(folder, 'here'))];
  await using lock = await operator('one', { hosts });
  await lock.join('node1');
  const error: unknown = await lock.join('full').catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'LOCK_UNWRITABLE', message: expect.stringContaining('No space left') });
  const world = fakeWorld(['full', 'node1']);
  const connect = async ({ name }: { readonly name: string }) => {
    await lock.join(name);
    return { bootId: () => undefined };
  };
  const { exit, quarantined } = await world.run(toGraph('p', chain(world.hosts, [fakeStep('x.0')])), { connect });
  expect({ exit, aside: quarantined.map((each) => each.host) }).toEqual({ exit: 3, aside: ['full'] });
});

const deadPid = () => spawnSync('true').pid;
