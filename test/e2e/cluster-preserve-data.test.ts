import { expect, it } from 'vitest';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp } from '../../src/lab/up.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { labNames } from '../lab/support.ts';
import { kubectlOn } from '../lab/support/verify-cluster.ts';

const named = await labNames();
const VERSION = '1.36.3';

it('kubeadm etcd data is kept on request and must be moved away before the next create', async () => {
  const { call, machine, close } = await oneMachine('kept-kubeadm', { etcd: { type: 'kubeadm' } });
  try {
    const before = await hostState(machine);
    await succeed(call('create', 'cluster', '--skip-preflight'));
    await succeed(call('delete', 'cluster', '--yes', '--preserve-data'));
    expect(await scriptOn(machine, 'ls /var/lib/etcd/member')).toContain('wal');

    const left = await hostState(machine);
    const refused = await call('create', 'cluster', '--skip-preflight');
    expect(refused.exit).not.toBe(0);
    expect(refused.stderr).toContain('ETCD_DATA_KEPT');
    expect(await hostState(machine)).toEqual(left);

    await scriptOn(machine, 'rm -r /var/lib/etcd');
    await succeed(call('create', 'cluster', '--skip-preflight'));
    await succeed(call('delete', 'cluster', '--yes'));
    expect(await hostState(machine)).toEqual(before);
  } finally {
    await close();
  }
}, 1_800_000);

it('a cluster in binary mode reuses preserved etcd data', async () => {
  const { lab, call, close } = await oneMachine('kept-kubexm', { kubernetes: { type: 'kubexm' } });
  try {
    await succeed(call('create', 'cluster', '--skip-preflight'));
    await kubectlOn(() => lab)('create configmap kept --from-literal=word=still');
    await succeed(call('delete', 'cluster', '--yes', '--preserve-data'));
    await succeed(call('create', 'cluster', '--skip-preflight'));
    expect(await kubectlOn(() => lab)("get configmap kept -o 'jsonpath={.data.word}'")).toBe('still');
    expect(await kubectlOn(() => lab)('get --raw /readyz')).toBe('ok');
  } finally {
    await close();
  }
}, 1_800_000);

async function oneMachine(name: string, spec: Readonly<Record<string, object>>) {
  const lab = await labUp({ name: named(name), machines: 1 });
  const mirror = await clusterMirror(lab, VERSION);
  const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec });
  const call = (...args: readonly string[]) => runKubexm(lab, file, ...args);
  return { lab, call, machine: lab.machines[0]!, close: () => mirror.close() };
}

async function succeed(called: ReturnType<typeof runKubexm>): Promise<void> {
  const { exit, stderr } = await called;
  expect(exit, stderr).toBe(0);
}
