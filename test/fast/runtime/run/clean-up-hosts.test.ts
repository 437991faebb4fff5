import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

const workdir = mkdtempSync(join(tmpdir(), 'kubexm-clear-'));
afterAll(() => rmSync(workdir, { recursive: true }));
const cluster = await loadCluster('test/fixtures/prepare-os.yaml');
const hosts = hostsOf(cluster);
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

/** A host that records its scripts and holds the rollback data of four runs. */
function recordingHost() {
  const scripts: string[] = [];
  const answer = async (script: string) => {
    scripts.push(script);
    return { exit: 0, stdout: scripts.length === 1 ? `${DONE}\n${FAILED}\n${UNKNOWN}\n` : '', stderr: '' };
  };
  const nothing = async () => {};
  const connector: Connector = {
    host: hosts.all[0]!.name,
    roundTrips: 0,
    rootFolders: [],
    bootId: undefined,
    query: answer,
    exec: answer,
    checkNewConnection: nothing,
    upload: nothing,
    download: nothing,
    [Symbol.asyncDispose]: nothing,
  };
  return { scripts, session: { cluster, hosts, connector: () => connector } };
}

const lockHost = (name: string) =>
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

it('removes the rollback data of this run and of successful runs, under the lock', async () => {
  const { scripts, session } = recordingHost();
  const { name } = hosts.all[0]!;
  await using lock = await lockHost(name);
  await removeRollbackData(session, { workdir, run: OURS, lock, changed: [name] });
  const text = scripts.join('\n');
  expect(text.match(/rm -rf -- \S+/g)).toEqual([
    `rm -rf -- /var/lib/kubexm/clusters/${cluster.name}/keep/${OURS};`,
    `rm -rf -- /var/lib/kubexm/clusters/${cluster.name}/keep/${DONE}`,
  ]);
  expect(scripts.every((script) => script.includes('/lock/7 ]'))).toBe(true);
});

it('removes all cluster data except the lock from locked hosts', async () => {
  const { scripts, session } = recordingHost();
  await using lock = await lockHost(hosts.all[0]!.name);
  await removeClusterData(session, lock);
  expect(scripts).toEqual([expect.stringMatching(/^\[ ! -e \S+\/lock\/7 \] \|\| find \S+ .*! -name lock /)]);
});
