import { expect, it, onTestFinished } from 'vitest';
import { labDown } from '../../src/lab/down.ts';
import { faults } from '../../src/lab/fault/faults.ts';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp } from '../../src/lab/up.ts';
import { clusterMirror } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { expectLoad, prepareLoad, type Load, type LoadLimits } from '../lab/support/load.ts';
import {
  expectScaled,
  SCALE_VERSION,
  scaleCluster,
  type Groups,
  type ScaleCluster,
  type ScaleOptions,
} from '../lab/support/scale-cluster.ts';
import { labNames } from '../lab/support.ts';
import { TYPES } from './support/cluster-types.ts';

const named = await labNames();

/** Until its death is noticed, requests are sent to a dead host: to its API server for seconds, to its Pods for a minute. */
const DEATH: LoadLimits = { apiFailures: 80, serviceFailures: 400, gapSeconds: 60 };
const REFUSED = 14;

it.each(TYPES)(
  'dead workers and masters of a %s cluster are removed and replaced, and return only after a cleanup',
  async (type) => {
    const stacked = (...names: readonly string[]) => (type === 'kubexm' ? { etcd: names } : {});
    const groupsOf = (masters: readonly string[], workers: readonly string[]): Groups => ({
      ...stacked(...masters),
      master: masters,
      worker: workers,
    });
    const first = groupsOf(['node1', 'node2', 'node3'], ['node4', 'node5']);
    const spec = { controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } };
    await withCluster(`dead-${type}`, 6, { type, groups: first, spec }, async (cluster, before) => {
      const { run, kubectl } = cluster;
      const load = await prepareLoad({ lab: cluster.lab, from: 'node4', api: '127.0.0.1', kubectl: kubectl(first) });

      const noWorker = groupsOf(['node1', 'node2', 'node3'], ['node4']);
      await removeDead(cluster, load, 'node5', noWorker);
      await cluster.add('worker', 'node6');
      const newWorker = groupsOf(['node1', 'node2', 'node3'], ['node4', 'node6']);
      await expectScaled(cluster, newWorker);

      const noThird = groupsOf(['node1', 'node2'], ['node4', 'node6']);
      await removeDead(cluster, load, 'node3', noThird);
      await expectNoRejoin(cluster, 'node5', noThird);
      await run('delete', 'nodes', '--cleanup', 'node5', '--yes');
      expect(await hostState(cluster.machine('node5'))).toEqual(before['node5']);
      const newThird = groupsOf(['node1', 'node2', 'node5'], ['node4', 'node6']);
      await addMaster(cluster, newThird);

      const noFirst = groupsOf(['node2', 'node5'], ['node4', 'node6']);
      await removeDead(cluster, load, 'node1', noFirst);
      await expectNoRejoin(cluster, 'node3', noFirst);
      await run('delete', 'nodes', '--cleanup', 'node3', '--yes');
      const newFirst = groupsOf(['node2', 'node5', 'node3'], ['node4', 'node6']);
      await addMaster(cluster, newFirst);

      await expectRefused(cluster, ['node2', 'node3']);
    });
  },
  5_400_000,
);

it.each(TYPES)(
  'a dead etcd member of a %s cluster is removed and replaced, and two dead of three are refused',
  async (type) => {
    const base = { master: ['node1'], worker: ['node2'] };
    const first = { etcd: ['node3', 'node4', 'node5'], ...base };
    await withCluster(`dead-etcd-${type}`, 6, { type, groups: first }, async (cluster) => {
      const { lab, kubectl, machine } = cluster;
      const load = await prepareLoad({ lab, from: 'node2', api: machine('node1').address, kubectl: kubectl(first) });
      // Two members without the first one: what refers to it must move.
      await removeDead(cluster, load, 'node3', { etcd: ['node4', 'node5'], ...base });
      await cluster.add('etcd', 'node6');
      await expectScaled(cluster, { etcd: ['node4', 'node5', 'node6'], ...base });
      await expectRefused(cluster, ['node4', 'node6']);
    });
  },
  5_400_000,
);

/** Creates a cluster and passes the original state of all machines to the test. */
async function withCluster(
  name: string,
  machines: number,
  options: ScaleOptions,
  test: (cluster: ScaleCluster, before: Readonly<Record<string, readonly string[]>>) => Promise<void>,
): Promise<void> {
  const full = named(name);
  onTestFinished(async () => void (await labDown(full)));
  const lab = await labUp({ name: full, machines });
  const mirror = await clusterMirror(lab, SCALE_VERSION, 'haproxy');
  try {
    const cluster = await scaleCluster(lab, mirror, options);
    const states = await Promise.all(lab.machines.map(async (one) => [one.name, await hostState(one)] as const));
    await cluster.run('create', 'cluster', '--skip-preflight');
    await test(cluster, Object.fromEntries(states));
  } finally {
    await mirror.close();
  }
}

/** Kills a host under load and removes it. */
async function removeDead(cluster: ScaleCluster, load: Load, name: string, left: Groups): Promise<void> {
  const { report } = await load.during(`${name} dies and is removed`, async () => {
    await faults.kill.apply(cluster.machine(name), {});
    await cluster.run('delete', 'nodes', '--nodes', name, '--unreachable', '--yes');
  });
  expectLoad(report, DEATH);
  await expectScaled(cluster, left);
}

/** Adds a master from the cluster file; in binary mode it also becomes an etcd member. */
async function addMaster(cluster: ScaleCluster, groups: Groups): Promise<void> {
  await cluster.write(groups);
  await cluster.run('add', 'nodes', '--yes');
  await expectScaled(cluster, groups);
}

/** Boots a removed host, and expects that it does not become a node or an etcd member again. */
async function expectNoRejoin(cluster: ScaleCluster, name: string, groups: Groups): Promise<void> {
  const machine = cluster.machine(name);
  await faults.kill.clear(machine);
  // The kubelet has been refused once it has logged that it could not register its node, or could not log in.
  const refused =
    "journalctl -b -u kubelet | grep -cE 'Unable to register node|Unauthorized|forbidden|certificate' || true";
  await expect.poll(async () => Number(await scriptOn(machine, refused)), { timeout: 180_000 }).toBeGreaterThan(0);
  await expectScaled(cluster, groups);
}

/** Kills two of three members, and expects that removing them is refused before anything changes. */
async function expectRefused({ call, machine }: ScaleCluster, names: readonly string[]): Promise<void> {
  for (const name of names) await faults.kill.apply(machine(name), {});
  for (const force of [[], ['--force']]) {
    const { exit, stderr } = await call('delete', 'nodes', '--nodes', names.join(), '--unreachable', '--yes', ...force);
    expect(exit, stderr).toBe(REFUSED);
    expect(stderr).toMatch(/QUORUM_(AT_RISK|LOST)/);
    expect(stderr).toMatch(/Try +/);
  }
}
