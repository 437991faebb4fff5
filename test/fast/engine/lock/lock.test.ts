import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
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
import type { LockRequest, LockStore } from '../../../../src/engine/lock/lock-store.ts';
import { fail } from '../../../../src/common/errors/errors.ts';
import { chain } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import { fakeStep } from '../../../fake/fake-step.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';

const root = mkdtempSync(join(tmpdir(), 'kubexm-lock-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

/** Runs a script in a local shell. */
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

/** Operators with different names work on different computers and share only the lock on the host. */
const setUp = () => {
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

  it('tells a second operator who holds it and why, and is released afterwards', async () => {
    const { operator } = setUp();
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

  it('is granted to exactly one of many concurrent operators', async () => {
    const { operator } = setUp();
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => operator(where === 'local' ? 'same' : `op${at}`)),
    );
    const won = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(won).toHaveLength(1);
    await won[0]![Symbol.asyncDispose]();
  });

  it('of a run killed on this computer can be taken over immediately', async () => {
    const { operator, folder } = setUp();
    await operator(names[0]);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\/\d+$/.test(path)))
      writeFileSync(
        join(folder, name),
        readFileSync(join(folder, name), 'utf8').replace(/"pid":\d+/, `"pid":${deadPid()}`),
      );
    await using taken = await operator(names[1]);
    expect(taken.fence).toBe(2);
  });

  it('can be taken over after 30 s without a heartbeat, and its former holder notices', async () => {
    const { operator, file: fileOf } = setUp();
    const first = await operator(names[0], { heartbeatMs: 3_600_000 });
    // No heartbeat, as if the computer had been suspended.
    const old = new Date(Date.now() - 31_000);
    for (const each of new Set([file, 'host'])) utimesSync(fileOf(each), old, old);
    await using second = await operator(names[1]);
    expect(second.fence).toBeGreaterThan(first.fence);
    await first.renew();
    expect(first.lost.aborted).toBe(true);
    expect(() => first.check()).toThrow('took over the lock');
    expect(() => second.check()).not.toThrow();
  });

  it('is also lost if the operator who took it over has released it since', async () => {
    const { operator, file: fileOf } = setUp();
    const first = await operator(names[0], { heartbeatMs: 3_600_000 });
    const old = new Date(Date.now() - 31_000);
    for (const each of new Set([file, 'host'])) utimesSync(fileOf(each), old, old);
    await (await operator(names[1]))[Symbol.asyncDispose]();
    await first.renew();
    expect(() => first.check()).toThrow('a user whose run has ended took over the lock');
  });

  it('renews its heartbeat', async () => {
    const { operator, file: fileOf } = setUp();
    await using _ = await operator(names[0], { heartbeatMs: 20 });
    const old = new Date(Date.now() - 29_000);
    utimesSync(fileOf(file), old, old);
    await vi.waitUntil(() => statSync(fileOf(file)).mtimeMs > old.getTime(), { timeout: 60_000 });
    await expect(operator(names[1], { staleMs: 20_000 })).rejects.toMatchObject({ code: 'LOCKED' });
  });
});

it('is removed from hosts after the cluster is deleted, unless another operator holds it', async () => {
  const { folder, operator } = setUp();
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

it('accepts any connector', () => expectTypeOf<Connector>().toExtend<LockHost>());

/** A host on which every command fails. */
const refuse = async () => {
  throw fail('FACTS_UNREADABLE', { host: 'node2', reason: 'unreachable' });
};
const unreachableHost: LockHost = { host: 'node2', query: refuse, exec: refuse };

it('skips an unreachable host, and releases all locks if one is held by another operator', async () => {
  const { operator, folder } = setUp();
  const here = hostLockStore(host, join(folder, 'here'));
  {
    await using lock = await operator('one', { hosts: [hostLockStore(unreachableHost, '/unreachable'), here] });
    expect(lock.fence).toBe(1);
    await expect(lock.join('node2')).rejects.toMatchObject({ code: 'FACTS_UNREADABLE' });
    await lock.join('node1');
    const free = hostLockStore(hostNamed('node0'), join(folder, 'free'));
    await expect(operator('two', { hosts: [free, here] })).rejects.toMatchObject({ code: 'LOCKED' });
    await using third = await operator('three', { hosts: [free] });
    expect(third.fence).toBe(2);
  }
});

it('issues increasing fencing tokens, even if a host has seen a higher one', async () => {
  const { operator } = setUp();
  for (let at = 1; at <= 3; at++) await (await operator('one'))[Symbol.asyncDispose]();
  await using far = await operator('two');
  expect(far.fence).toBe(4);
  await far[Symbol.asyncDispose]();
  await using alone = await operator('two', { hosts: [] });
  expect(alone.fence).toBe(5);
});

describe('a slow host', () => {
  /** A lock store that responds only after `answer` is called. */
  function slowStore(folder: string) {
    let answer = () => {};
    const awake = new Promise<void>((resolve) => (answer = resolve));
    return { store: hostLockStore(hostNamed('slow'), folder, () => awake), answer: () => answer() };
  }

  it('does not delay the start, and is locked before its first step', async () => {
    const { operator, folder } = setUp();
    const { store, answer } = slowStore(join(folder, 'slow'));
    const here = hostLockStore(host, join(folder, 'here'));
    await using lock = await operator('one', { hosts: [store, here], patienceMs: 1000 });
    expect(readdirSync(folder).sort()).toEqual(['here', 'one']);
    const joined = lock.join('slow');
    answer();
    await joined;
    const other = hostLockStore(hostNamed('slow'), join(folder, 'slow'));
    await expect(operator('two', { hosts: [other] })).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('aborts the run before any change if another operator turns out to hold it', async () => {
    const { operator, folder } = setUp();
    const { store, answer } = slowStore(join(folder, 'slow'));
    await using _ = await operator('other', { hosts: [hostLockStore(hostNamed('slow'), join(folder, 'slow'))] });
    await using lock = await operator('one', { hosts: [store], patienceMs: 20 });
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

  it('is not locked if it responds after the run', async () => {
    const { operator, folder } = setUp();
    const { store, answer } = slowStore(join(folder, 'slow'));
    const lock = await operator('one', { hosts: [store], patienceMs: 20 });
    await lock[Symbol.asyncDispose]();
    answer();
    await expect(lock.join('slow')).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(readdirSync(folder)).toEqual(['one']);
  });
});

it('does not wait forever to release the lock on an unreachable host', async () => {
  const { operator, folder } = setUp();
  const hung = { ...hostLockStore(host, join(folder, 'host')), release: () => new Promise<void>(() => {}) };
  const lock = await operator('one', { hosts: [hung] });
  await lock[Symbol.asyncDispose]();
  await using _ = await operator('one', { hosts: [] });
}, 20_000);

it('quarantines a host that cannot store the lock, and continues with the others', async () => {
  const { operator, folder } = setUp();
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
  expect({ exit, hosts: quarantined.map((each) => each.host) }).toEqual({ exit: 3, hosts: ['full'] });
});

it('of a run on another computer is not taken over, whatever process has its PID here', async () => {
  const { operator, folder } = setUp();
  await operator('one', { heartbeatMs: 3_600_000 });
  const path = join(folder, 'host', '1');
  const text = readFileSync(path, 'utf8').replace(/"pid":\d+/, `"pid":${deadPid()}`);
  writeFileSync(path, text.replace(/"machine":"[^"]*"/, '"machine":"elsewhere"'));
  await expect(operator('two')).rejects.toMatchObject({ code: 'LOCKED' });
});

const request = (what: string, atLeast: number): LockRequest => ({
  holder: { owner: what, machine: 'elsewhere', pid: 1, what, run: what, since: 'now' },
  staleMs: 30_000,
  atLeast,
});

describe('two operators who choose different numbers at the same time', () => {
  it('do not both get a local lock', async () => {
    for (let round = 0; round < 20; round++) {
      const store = localLockStore(join(root, `race${round}`));
      const answers = await Promise.all([store.take(request('low', 1)), store.take(request('high', 5))]);
      expect(answers.map(({ type }) => type).toSorted()).toEqual(['held', 'taken']);
    }
  });

  it('do not both get the lock of a host', async () => {
    const folder = join(root, 'race-on-host');
    let sendHolder = () => {};
    const waits = new Promise<void>((resolve) => (sendHolder = resolve));
    const chosen = join(folder, 'chosen');
    // The number is chosen before the holder is read, so the lower one is created after the higher one.
    const slow: LockHost = {
      ...hostNamed('node1'),
      exec: (script, { stdin = '' } = {}) =>
        new Promise((resolve) => {
          const marked = script.replace('if ! cat', `: > '${chosen}'; if ! cat`);
          const child = execFile('/bin/sh', ['-c', marked], (error, stdout, stderr) =>
            resolve({ exit: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
          );
          child.stdin?.on('error', () => {});
          void waits.then(() => child.stdin?.end(stdin));
        }),
    };
    const low = hostLockStore(slow, folder).take(request('low', 1));
    await vi.waitUntil(() => existsSync(chosen), { timeout: 30_000 });
    expect(await hostLockStore(host, folder).take(request('high', 5))).toEqual({ type: 'taken', fence: 5 });
    sendHolder();
    expect(await low).toMatchObject({ type: 'held', fence: 5, holder: { owner: 'high' } });
  });
});

it('sends at least three heartbeats by default before a lock becomes stale', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { operator, file } = setUp();
    await using _ = await operator('one');
    const old = new Date(Date.now() - 20_000);
    utimesSync(file('host'), old, old);
    vi.advanceTimersByTime(10_000);
    await vi.waitUntil(() => statSync(file('host')).mtimeMs > old.getTime(), { timeout: 30_000 });
  } finally {
    vi.useRealTimers();
  }
});

describe('on many hosts', () => {
  /** Hosts in memory that count the heartbeats of each. */
  const manyHosts = (count: number) => {
    const beats = new Map<string, number>();
    const hosts = Array.from({ length: count }, (_, at): LockStore => {
      const name = `node${at + 1}`;
      return {
        name,
        reach: () => Promise.resolve(),
        take: () => Promise.resolve({ type: 'taken', fence: 1 }),
        renew: () => {
          beats.set(name, (beats.get(name) ?? 0) + 1);
          return Promise.resolve(undefined);
        },
        release: () => Promise.resolve(),
      };
    });
    return { hosts, beats };
  };

  it('idle ones get no heartbeats, busy ones do', async () => {
    const { operator } = setUp();
    const { hosts, beats } = manyHosts(1000);
    await using lock = await operator('one', { hosts, heartbeatMs: 3_600_000 });
    await lock.renew();
    expect([...beats.keys()]).toEqual(['node1', 'node2', 'node3']);
    await lock.during('node700', () => lock.renew());
    await lock.renew();
    expect(beats.get('node700')).toBe(1);
  });

  it('an operator is refused by the deciding hosts before any idle host is asked', async () => {
    const { operator } = setUp();
    const { hosts } = manyHosts(50);
    const asked: string[] = [];
    const held = { type: 'held', fence: 1, holder: request('first', 1).holder } as const;
    const contested = hosts.map((store, at) => ({
      ...store,
      take: () => {
        asked.push(store.name);
        return Promise.resolve(at === 2 ? held : ({ type: 'taken', fence: 2 } as const));
      },
    }));
    await expect(operator('two', { hosts: contested })).rejects.toMatchObject({ code: 'LOCKED' });
    expect(asked).toEqual(['node1', 'node2', 'node3']);
  });

  it('waits for all of them as long as some keep responding', async () => {
    const { operator } = setUp();
    const { hosts } = manyHosts(40);
    let turn = Promise.resolve();
    const inTurn = hosts.map((store) => {
      turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, 10)));
      const reached = turn;
      return { ...store, reach: () => reached };
    });
    await using lock = await operator('one', { hosts: inTurn, patienceMs: 200 });
    expect(lock.numberOn('node40')).toBe(1);
  });
});

const deadPid = () => spawnSync('true').pid;
