import { expect, it, onTestFinished } from 'vitest';
import { labDown } from '../../src/lab/down.ts';
import { faults } from '../../src/lab/fault/faults.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { labNames } from '../lab/support.ts';
import { kubectlOn, verifyCluster } from '../lab/support/verify-cluster.ts';
import { TYPES } from './support/cluster-types.ts';

const named = await labNames();
const VERSION = '1.36.3';

it.each(TYPES)(
  'the API of a %s cluster recovers quickly after losing a master and the active load balancer',
  async (type) => {
    const name = named(`lost-${type}`);
    onTestFinished(async () => void (await labDown(name)));
    const lab = await labUp({ name, machines: 6 });
    const [node1, worker] = [lab.machines[0]!, lab.machines[3]!];
    const balancers = lab.machines.slice(4);
    const vip = node1.address.replace(/\d+$/, '200');
    const mirror = await clusterMirror(lab, VERSION, 'haproxy');
    const masters = ['node1', 'node2', 'node3'];
    const spec = {
      kubernetes: { type },
      roleGroups: { etcd: masters, master: masters, worker: ['node4'], loadbalancer: ['node5', 'node6'] },
      controlPlaneEndpoint: { externalLoadBalancer: 'kubexm-kh', internalLoadbalancer: 'haproxy', lb_address: vip },
    };
    try {
      const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec });
      const env = { KUBEXM_HOME: process.env['KUBEXM_HOME']! };
      const create = ['create', 'cluster', '--skip-preflight', '-f', file, '--workdir', lab.paths.folder];
      const created = await kubexm(create, env);
      expect(created.exit, created.stderr).toBe(0);

      await faults.kill.apply(node1, {});
      const local = await outageOn(worker, '127.0.0.1');
      const shared = await outageOn(worker, vip);
      console.log(`${type}, master lost: ${local} s through the local haproxy, ${shared} s through the VIP`);
      const active = await ownerOf(balancers, vip);
      await faults.kill.apply(active, {});
      const moved = await outageOn(worker, vip);
      console.log(`${type}, active load balancer lost: ${moved} s through the VIP`);
      for (const outage of [local, shared, moved]) expect(outage).toBeLessThan(60);
      // Until then, Services still route some requests to it.
      await kubectlOn(() => lab, 'node2')('wait node/node1 --for=condition=Ready=Unknown --timeout=300s');
      await verifyCluster(
        kubectlOn(() => lab, 'node2'),
        ['node2', 'node3', 'node4'],
      );

      const roleGroups = { ...spec.roleGroups, master: ['node2', 'node3', 'node1'] };
      await mirroredClusterFile(lab, mirror, { version: VERSION, spec: { ...spec, roleGroups } });
      const again = await kubexm([...create, '-o', 'json'], env);
      const { setAside, failures } = JSON.parse(again.stdout);
      const names = setAside.map(({ host }: { readonly host: string }) => host).toSorted();
      expect(names).toEqual(['node1', active.name]);
      expect(failures).toEqual([]);
    } finally {
      await mirror.close();
    }
  },
  3_600_000,
);

/** Seconds until the API server responds five times in a row, measured on a machine. */
async function outageOn(machine: Machine, address: string): Promise<number> {
  const script = `start=$(date +%s%N); good=0; first=$start
while [ $good -lt 5 ]; do
  if curl -sk --max-time 1 https://${address}:6443/readyz | grep -qx ok; then
    [ $good -gt 0 ] || first=$(date +%s%N); good=$((good + 1))
  else good=0; fi
done
echo $(((first - start) / 1000000))`;
  return Number((await scriptOn(machine, script)).trim()) / 1000;
}

async function ownerOf(machines: readonly Machine[], address: string): Promise<Machine> {
  for (const machine of machines)
    if ((await scriptOn(machine, `ip -o addr show to ${address} | wc -l`)).trim() !== '0') return machine;
  throw new Error(`no machine has ${address}`);
}
