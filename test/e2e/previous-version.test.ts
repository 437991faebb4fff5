import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { labDown } from '../../src/lab/down.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { labNames } from '../lab/support.ts';
import { kubectlOn, verifyCluster } from '../lab/support/verify-cluster.ts';
import { TYPES } from './support/cluster-types.ts';
import { earlierVersion } from './support/earlier-version.ts';

/** The last commit that identifies step parts by their texts, in journals and on hosts. */
const PREVIOUS = '295503b';

const named = await labNames();
const VERSION = '1.36.3';
const previous = earlierVersion(PREVIOUS);

/** Starts the previous version with its own build. */
const start = (args: readonly string[]) =>
  spawn(previous(), [...args], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });

async function prepare(name: string, type: string) {
  onTestFinished(async () => void (await labDown(name)));
  const lab = await labUp({ name, machines: 2 });
  const mirror = await clusterMirror(lab, VERSION);
  onTestFinished(() => mirror.close());
  const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec: { kubernetes: { type } } });
  const target = ['-f', file, '--workdir', lab.paths.folder];
  const states = () => Promise.all(lab.machines.map(hostState));
  const call = (...args: readonly string[]) =>
    kubexm([...args, ...target], { KUBEXM_HOME: process.env['KUBEXM_HOME']! });
  return { lab, target, states, call, before: await states() };
}

it.each(TYPES)(
  'a %s cluster created by the previous version is updated by a re-run, up to date after it, and deleted',
  async (type) => {
    const { lab, target, states, call, before } = await prepare(named(`old-${type}`), type);
    const created = start(['create', 'cluster', '--skip-preflight', ...target]);
    expect(await once(created, 'close')).toEqual([0, null]);

    // New defaults, such as serving certificates of kubelets, are applied once.
    const updated = await call('create', 'cluster', '--skip-preflight');
    expect(updated.exit, updated.stderr).toBe(0);
    const again = await call('create', 'cluster', '--skip-preflight');
    expect(again.exit, again.stderr).toBe(0);
    expect(again.stderr).toContain('Nothing to do');
    await verifyCluster(kubectlOn(() => lab));
    const deleted = await call('delete', 'cluster', '--yes');
    expect(deleted.exit, deleted.stderr).toBe(0);
    expect(await states()).toEqual(before);
  },
  3_600_000,
);

it.each(TYPES)(
  'a %s create killed in the previous version can be resumed, and the cluster deleted',
  async (type) => {
    const { lab, target, states, call, before } = await prepare(named(`oldkill-${type}`), type);
    const killed = start(['create', 'cluster', '--skip-preflight', ...target]);
    const ended = once(killed, 'close');
    while (killed.exitCode === null && journalBytes(lab) < HALF_OF_A_RUN)
      await new Promise((done) => setTimeout(done, 100));
    process.kill(-killed.pid!, 'SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);

    const resumed = await call('create', 'cluster', '--skip-preflight', '--resume');
    expect(resumed.exit, resumed.stderr).toBe(0);
    await verifyCluster(kubectlOn(() => lab));
    const deleted = await call('delete', 'cluster', '--yes');
    expect(deleted.exit, deleted.stderr).toBe(0);
    expect(await states()).toEqual(before);
  },
  3_600_000,
);

/** About half of the journal of a create on two machines, in bytes. */
const HALF_OF_A_RUN = 30_000;

function journalBytes({ paths, name }: Lab): number {
  const runs = join(paths.folder, '.kubexm', name, 'runs');
  const run = existsSync(runs) ? readdirSync(runs).toSorted().at(-1) : undefined;
  const path = run === undefined ? '' : join(runs, run, 'journal.jsonl');
  return existsSync(path) ? statSync(path).size : 0;
}
