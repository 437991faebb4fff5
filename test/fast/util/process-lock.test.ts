import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signingKey } from '../../../src/resource/bundle/keys.ts';
import { startOf, thisMachine } from '../../../src/util/process-identity.ts';
import { withLock } from '../../../src/util/process-lock.ts';

let home: string;
let locks: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'kubexm-lock-'));
  locks = join(home, 'locks');
  vi.stubEnv('KUBEXM_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const hold = (name: string, holder: object) => {
  mkdirSync(locks, { recursive: true });
  const path = join(locks, `${name}.7`);
  writeFileSync(path, JSON.stringify({ owner: 'ada@desk', machine: thisMachine(), start: '', ...holder }));
  return path;
};

const taken = (name: string, onWait: (holder: string) => void = (holder) => expect.fail(`waits for ${holder}`)) =>
  withLock(name, () => Promise.resolve('taken'), { onWait });

it('has one holder at a time, and is released after a failure', async () => {
  let holders = 0;
  const order: number[] = [];
  const act = (label: number) =>
    withLock('one', async () => {
      expect(++holders).toBe(1);
      for (let ticks = 0; ticks < 5; ticks++) await setImmediate();
      holders--;
      order.push(label);
    });
  await expect(withLock('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await Promise.all(Array.from({ length: 8 }, (_, label) => act(label)));
  expect(order.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(readdirSync(locks)).toHaveLength(1);
});

it('names who holds it, and is taken over when that process is killed', async () => {
  const child = spawn('sleep', ['600']);
  await once(child, 'spawn');
  hold('held', { pid: child.pid, start: startOf(child.pid!) });
  const waits: string[] = [];
  const onWait = (holder: string) => {
    waits.push(holder);
    child.kill('SIGKILL');
  };
  expect(await taken('held', onWait)).toBe('taken');
  expect(waits).toEqual([`ada@desk, process ${child.pid}`]);
});

it('is free after its holder has exited, even if the PID is in use again', async () => {
  hold('reused', { pid: process.pid, start: 'another start' });
  expect(await taken('reused')).toBe('taken');
});

it('is free after a reboot or in another container only if its heartbeat has stopped', async () => {
  const path = hold('remote', { pid: 1, machine: 'desk another-boot' });
  const stop = new AbortController();
  const waiting = withLock('remote', () => Promise.resolve(), { signal: stop.signal, onWait: () => stop.abort() });
  await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(path, longAgo, longAgo);
  expect(await taken('remote')).toBe('taken');
});

it('is out of reach of other local users', async () => {
  await using _ = createServer().listen({ path: '\0kubexm-bundle-key' });
  expect((await signingKey()).asymmetricKeyType).toBe('ed25519');
  expect(statSync(locks).mode & 0o777).toBe(0o700);
  expect(readdirSync(locks).map((name) => statSync(join(locks, name)).mode & 0o777)).toEqual([0o600]);
});

it('keeps its number, so that a slow process cannot take an old one', async () => {
  await taken('number');
  await taken('number');
  expect(readdirSync(locks)).toEqual(['number.2']);
  expect(readFileSync(join(locks, 'number.2'), 'utf8')).toBe('');
});
