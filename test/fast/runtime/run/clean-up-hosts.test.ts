import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Connector } from '../../../../src/connector/connector.ts';
import { localLockStore } from '../../../../src/engine/lock/local-lock.ts';
import { lockCluster } from '../../../../src/engine/lock/lock.ts';
import { encode } from '../../../../src/engine/journal/record.ts';
import { lockFolder, runPaths } from '../../../../src/state/runs.ts';
import { removeRollbackData, removeClusterData } from '../../../../src/runtime/run/clean-up-hosts.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { runLocally } from '../../connector/local-shell.ts';

const workdir = mkdtempSync(join(tmpdir(), 'kubexm-clear-'));
afterAll(() => rmSync(workdir, { recursive: true }));
const cluster = await loadCluster('test/fixtures/prepare-os.yaml');
const hosts = hostsOf(cluster);
const { name } = hosts.all[0]!;
const OURS = '20261117-101402-0001';
const DONE = '20261117-101402-0002';
const FAILED = '20261117-101402-0003';
const UNKNOWN = '20261117-101402-0004';
for (const [id, outcome] of [
  [DONE, 'done'],
  [FAILED, 'failed'],
] as const) {
  const { folder, journal } = runPaths(workdir, cluster.name, id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(journal, encode({ type: 'ended', outcome, at: '' }, 1));
}

/** A host whose /var/lib/kubexm is a folder of this computer, with the rollback data of four runs and a lock. */
function localHost() {
  const data = mkdtempSync(join(workdir, 'host-'));
  const folder = join(data, 'clusters', cluster.name);
  for (const run of [OURS, DONE, FAILED, UNKNOWN]) {
    mkdirSync(join(folder, 'keep', run), { recursive: true });
    writeFileSync(join(folder, 'keep', run, 'file'), 'before');
  }
  for (const each of ['origin', 'lock']) mkdirSync(join(folder, each));
  writeFileSync(join(folder, 'lock', '7'), '');
  const execute = async (script: string) => {
    const { exit, ...output } = await runLocally(script.replaceAll('/var/lib/kubexm', data));
    return { ...output, exit: exit ?? 1 };
  };
  const nothing = async () => {};
  const connector: Connector = {
    host: name,
    roundTrips: 0,
    rootFolders: [],
    bootId: undefined,
    query: execute,
    exec: execute,
    checkNewConnection: nothing,
    upload: nothing,
    download: nothing,
    tunnel: () => Promise.reject(new Error('not here')),
    [Symbol.asyncDispose]: nothing,
  };
  return { folder, session: { cluster, hosts, connector: () => connector } };
}

const lockHost = () =>
  lockCluster({
    cluster: cluster.name,
    what: 'create cluster',
    run: OURS,
    local: localLockStore(lockFolder(workdir, cluster.name)),
    hosts: [
      {
        name,
        reach: async () => {},
        take: async () => ({ type: 'taken', fence: 7 }),
        renew: async () => undefined,
        release: async () => {},
      },
    ],
  });

it('removes the rollback data of this run and of successful runs', async () => {
  const { folder, session } = localHost();
  await using lock = await lockHost();
  await removeRollbackData(session, { workdir, run: OURS, lock, changed: [name] });
  expect(readdirSync(join(folder, 'keep')).toSorted()).toEqual([FAILED, UNKNOWN]);
  expect(readdirSync(folder).toSorted()).toEqual(['keep', 'lock', 'origin']);
});

it('removes all cluster data except the lock, which is removed last', async () => {
  const { folder, session } = localHost();
  await using lock = await lockHost();
  await removeClusterData(session, lock);
  expect(readdirSync(folder)).toEqual(['lock']);
});

it('removes nothing from a host whose lock another run has taken', async () => {
  const { folder, session } = localHost();
  await using lock = await lockHost();
  rmSync(join(folder, 'lock', '7'));
  await removeRollbackData(session, { workdir, run: OURS, lock, changed: [name] });
  await removeClusterData(session, lock);
  expect(readdirSync(join(folder, 'keep')).toSorted()).toEqual([OURS, DONE, FAILED, UNKNOWN]);
  expect(readdirSync(folder).toSorted()).toEqual(['keep', 'lock', 'origin']);
});
