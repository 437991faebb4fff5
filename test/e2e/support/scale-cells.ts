import { afterEach, describe, expect, it } from 'vitest';
import { labDown } from '../../../src/lab/down.ts';
import { scriptOn } from '../../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../../src/lab/up.ts';
import { clusterMirror } from '../../lab/support/cluster-mirror.ts';
import { hostState } from '../../lab/support/host-state.ts';
import { expectLoad, prepareLoad, type LoadLimits } from '../../lab/support/load.ts';
import {
  expectScaled,
  SCALE_VERSION,
  scaleCluster,
  type Groups,
  type ScaleCluster,
} from '../../lab/support/scale-cluster.ts';
import { verifyCluster } from '../../lab/support/verify-cluster.ts';

/** A change of the hosts of a cluster. */
export interface ScaleStep {
  readonly title: string;
  /** The hosts after the change. */
  readonly groups: Groups;
  /** `add` uses --nodes, `addFromFile` writes the cluster file first. */
  readonly act:
    | { readonly type: 'add'; readonly role: string; readonly nodes: readonly string[] }
    | { readonly type: 'addFromFile' }
    | { readonly type: 'delete'; readonly nodes: readonly string[] };
  readonly limits: LoadLimits;
}

/** A cluster whose hosts change step by step. */
export interface ScaleCell {
  readonly title: string;
  readonly name: string;
  readonly type: string;
  readonly machines: number;
  /** The hosts at first. */
  readonly groups: Groups;
  readonly spec?: (lab: Lab) => Blocks | Promise<Blocks>;
  /** The machine from which clients connect. */
  readonly from: string;
  /** The API endpoint seen from there. */
  readonly api: (lab: Lab) => string;
  readonly steps: readonly ScaleStep[];
}

type Blocks = Readonly<Record<string, object>>;

/** Runs the cells. KUBEXM_CELLS=worker-kubeadm,etcd-kubexm selects some of them. */
export function testScaleCells(named: (name: string) => string, cells: readonly ScaleCell[]): void {
  const selected = process.env['KUBEXM_CELLS']?.split(',');
  for (const cell of cells) if (selected?.includes(cell.name) ?? true) testCell(named(cell.name), cell);
}

function testCell(name: string, cell: ScaleCell): void {
  describe(`${cell.title}, type ${cell.type}`, () => {
    afterEach(() => labDown(name));

    it('scales under load, stays healthy, and restores removed hosts', async () => {
      const lab = await labUp({ name, machines: cell.machines });
      const mirror = await clusterMirror(lab, SCALE_VERSION, 'haproxy');
      try {
        const spec = await cell.spec?.(lab);
        const cluster = await scaleCluster(lab, mirror, {
          type: cell.type,
          groups: cell.groups,
          ...(spec && { spec }),
        });
        await upgradePerl(cluster, cell);
        const before = await statesOf(lab);
        await cluster.run('create', 'cluster', '--skip-preflight');
        await runSteps(cluster, cell, before);
        await verifyCluster(cluster.kubectl(cell.steps.at(-1)!.groups));
        // Brings files up to date that scaling leaves alone, such as /etc/hosts.
        await cluster.run('create', 'cluster', '--skip-preflight');
        expect((await cluster.run('create', 'cluster', '--skip-preflight')).stderr).toContain('Nothing to do');
        await cluster.run('delete', 'cluster', '--yes');
        expect(await statesOf(lab)).toEqual(before);
      } finally {
        await mirror.close();
      }
    }, 5_400_000);
  });
}

async function runSteps(cluster: ScaleCluster, cell: ScaleCell, before: States): Promise<void> {
  const { lab } = cluster;
  const load = await prepareLoad({
    lab,
    from: cell.from,
    api: cell.api(lab),
    kubectl: cluster.kubectl(cell.groups),
  });
  for (const step of cell.steps) {
    const start = performance.now();
    const { report } = await load.during(`${cell.name}: ${step.title}`, () => actOn(cluster, step));
    console.log(`${cell.name}: ${step.title} took ${((performance.now() - start) / 1000).toFixed(0)} s`);
    expectLoad(report, step.limits);
    await expectScaled(cluster, step.groups);
    const after = await statesOf(lab);
    for (const removed of step.act.type === 'delete' ? step.act.nodes : [])
      expect(after[removed], removed).toEqual(before[removed]);
  }
}

async function actOn(cluster: ScaleCluster, { act, groups }: ScaleStep): Promise<void> {
  switch (act.type) {
    case 'add':
      await cluster.add(act.role, ...act.nodes);
      return;
    case 'addFromFile':
      await cluster.write(groups);
      await cluster.run('add', 'nodes', '--yes');
      return;
    case 'delete':
      await cluster.run('delete', 'nodes', '--nodes', act.nodes.join(), '--yes');
      return;
  }
}

type States = Readonly<Record<string, readonly string[]>>;

const statesOf = async ({ machines }: Lab): Promise<States> =>
  Object.fromEntries(
    await Promise.all(machines.map(async (machine) => [machine.name, await hostState(machine)] as const)),
  );

/** The haproxy packages upgrade perl-base, and deletion does not downgrade it. */
async function upgradePerl({ machine }: ScaleCluster, { groups, steps }: ScaleCell): Promise<void> {
  const balancers = new Set([groups, ...steps.map((step) => step.groups)].flatMap((each) => each.loadbalancer ?? []));
  await Promise.all([...balancers].map((name) => scriptOn(machine(name), NEWER_PERL)));
}

const NEWER_PERL = 'apt-get -qq update && apt-get -qq -y install --only-upgrade perl-base >/dev/null 2>&1';
