import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { labDown } from '../../../src/lab/down.ts';
import { scriptOn } from '../../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../../src/lab/up.ts';
import { runKubexm } from '../../lab/support/lab-cluster.ts';
import { clusterMirror, mirroredClusterFile } from '../../lab/support/cluster-mirror.ts';
import { hostState } from '../../lab/support/host-state.ts';
import { externalEtcd } from '../../lab/support/external-etcd.ts';
import { testNetworkPolicy } from './network-policy.ts';
import { kubectlOn, verifyCluster, type Kubectl } from '../../lab/support/verify-cluster.ts';

/** A cluster configuration to test. */
export interface Cell {
  readonly title: string;
  readonly name: string;
  readonly machines: number;
  readonly version?: string;
  /** Additional components of the mirror. */
  readonly components?: readonly string[];
  readonly spec?: (lab: Lab) => Blocks | Promise<Blocks>;
  /** Additional checks for this configuration. */
  readonly use?: (kubectl: Kubectl) => Promise<void>;
}

type Blocks = Readonly<Record<string, object>>;

export const roles = (groups: Readonly<Record<string, readonly string[]>>) => ({ roleGroups: groups });
const THREE = ['node1', 'node2', 'node3'];
export const FIVE = { etcd: THREE, master: THREE, worker: ['node4', 'node5'] };
const freeAddress = ({ machines }: Lab, last: number) => machines[0]!.address.replace(/\d+$/, `${last}`);

/** Three masters behind load balancers on dedicated hosts. */
export const balanced = (type: string) => (lab: Lab) => ({
  ...roles({ ...FIVE, loadbalancer: ['node6', 'node7'] }),
  controlPlaneEndpoint: { externalLoadBalancer: type, lb_address: freeAddress(lab, 200) },
});

/** One master and one worker, with external etcd and an external load balancer on a machine outside the cluster. */
export async function external(lab: Lab): Promise<Blocks> {
  const [master, , other] = lab.machines;
  const forward = `socat TCP-LISTEN:6443,fork,reuseaddr TCP:${master!.address}:6443`;
  await scriptOn(other!, `systemd-run -q --unit outside-balancer ${forward}`);
  return {
    hosts: (await hostsOf(lab)).slice(0, 2),
    ...roles({ master: ['node1'], worker: ['node2'] }),
    etcd: await externalEtcd(lab, other!),
    controlPlaneEndpoint: { externalLoadBalancer: 'external', lb_address: other!.address },
  };
}

/** Calico with VXLAN: the kernel of lab machines has no IPIP. */
export const calico = {
  components: ['calico'],
  machines: 2,
  spec: () => ({ network: { plugin: 'calico', calico: { ipipMode: 'Never', vxlanMode: 'Always' } } }),
  use: testNetworkPolicy,
} as const;

/** The hosts of the lab's cluster file. */
export const hostsOf = async ({ paths }: Lab) => parse(await readFile(paths.cluster, 'utf8')).spec.hosts;

/** Creates, uses, re-runs and deletes each cluster. KUBEXM_CELLS=haproxy,kh selects some of them. */
export function testCells(named: (name: string) => string, cells: readonly Cell[]): void {
  const selected = process.env['KUBEXM_CELLS']?.split(',');
  for (const cell of cells) if (selected?.includes(cell.name) ?? true) testCell(named, cell);
}

function testCell(named: (name: string) => string, cell: Cell): void {
  const { title, name, machines, version = '1.36.3', components = [], spec, use } = cell;
  describe(title, () => {
    const lab = named(name);
    afterEach(() => labDown(lab));

    it('can be created, used, re-run without changes, and deleted with all hosts restored', async () => {
      const made = await labUp({ name: lab, machines });
      const mirror = await clusterMirror(made, version, 'haproxy', 'nginx', ...components);
      try {
        const file = await mirroredClusterFile(made, mirror, { version, ...(spec && { spec: await spec(made) }) });
        const call = (...args: readonly string[]) => runKubexm(made, file, ...args);
        const states = () => Promise.all(made.machines.map(hostState));
        // Upgraded first because the haproxy packages upgrade it, and deletion does not downgrade it.
        await Promise.all(made.machines.slice(3).map((machine) => scriptOn(machine, NEWER_PERL)));
        const before = await states();
        const start = performance.now();
        const created = await call('create', 'cluster');
        expect(created.exit, created.stderr).toBe(0);
        console.log(`${name}: created in ${((performance.now() - start) / 1000).toFixed(0)} s`);
        await verifyCluster(kubectlOn(() => made));
        const health = await call('health', 'cluster', '--wait', '3m');
        expect(health.exit, health.stdout).toBe(0);
        await use?.(kubectlOn(() => made));
        expect((await call('create', 'cluster')).stderr).toContain('Nothing to do');
        const deleted = await call('delete', 'cluster', '--yes');
        expect(deleted.exit, deleted.stderr).toBe(0);
        expect(await states()).toEqual(before);
      } finally {
        await mirror.close();
      }
    }, 3_600_000);
  });
}

const NEWER_PERL = 'apt-get -qq update && apt-get -qq -y install --only-upgrade perl-base >/dev/null 2>&1';
