import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../../src/lab/fault/faults.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { clusterMirror } from '../lab/support/cluster-mirror.ts';
import { etcdMembers } from '../lab/support/etcd-members.ts';
import { hostState } from '../lab/support/host-state.ts';
import {
  expectScaled,
  SCALE_VERSION,
  scaleCluster,
  type Groups,
  type ScaleCluster,
} from '../lab/support/scale-cluster.ts';
import { labNames } from '../lab/support.ts';
import type { Kubectl } from '../lab/support/verify-cluster.ts';
import { TYPES } from './support/cluster-types.ts';
import { journalOf } from './support/repeated-kills.ts';

const named = await labNames();

describe.each(TYPES)('scaling a %s cluster under faults', { timeout: 1_800_000 }, (type) => {
  const groups = (master: readonly string[], worker: readonly string[]): Groups => ({
    ...(type === 'kubexm' && { etcd: master }),
    master,
    worker,
  });
  const small = groups(['node1'], ['node2']);
  const withWorker = groups(['node1'], ['node2', 'node3']);
  const withMaster = groups(['node1', 'node3'], ['node2']);
  let lab: Lab;
  let mirror: MirrorServer;
  let cluster: ScaleCluster;
  let kubectl: Kubectl;
  let machine: Machine;
  let before: readonly string[];

  beforeAll(async () => {
    lab = await labUp({ name: named(`faults-${type}`), machines: 3 });
    mirror = await clusterMirror(lab, SCALE_VERSION, 'haproxy');
    const spec = { controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } };
    cluster = await scaleCluster(lab, mirror, { type, groups: small, spec });
    kubectl = cluster.kubectl(small);
    machine = cluster.machine('node3');
    before = await hostState(machine);
    await cluster.run('create', 'cluster', '--skip-preflight');
  });
  afterAll(() => mirror.close());
  afterEach(() => faults.kill.clear(machine));

  const add = (...args: readonly string[]) => cluster.call('add', 'nodes', '--skip-preflight', '--yes', ...args);
  const remove = (...args: readonly string[]) => cluster.call('delete', 'nodes', '--nodes', 'node3', '--yes', ...args);
  const nodes = () => kubectl("get nodes -o 'jsonpath={.items[*].metadata.name}'");

  /** Nothing of node3 is left in Kubernetes, etcd or the load balancer of the worker. */
  const expectNothingLeft = async () => {
    expect(await nodes()).toBe('node1 node2');
    expect((await etcdMembers(lab, small)).map(({ name }) => name)).toEqual(['node1']);
    const balancer = await scriptOn(cluster.machine('node2'), 'cat /etc/kubexm/haproxy/*.cfg');
    expect(balancer).toContain(cluster.machine('node1').address);
    expect(balancer).not.toContain(machine.address);
  };

  it('rolls back if the disk of the new host is full', async () => {
    await cluster.write(withWorker);
    await faults.fullDisk.apply(machine, { directory: '/etc/kubernetes' });
    const { exit, stderr } = await add();
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(/no space left on device/i);
    expect(stderr).toMatch(/node3/);
    await expectNothingLeft();
    await faults.fullDisk.clear(machine);
    await expectRun(add('--resume'));
    await expectScaled(cluster, withWorker);
  });

  it('names the Pod, the node and the budget that a drain waits for, and leaves the node as it was', async () => {
    await kubectl(`apply -f - <<'END'\n${GUARDED}\nEND`);
    await kubectl('rollout status deployment/guarded --timeout=300s');
    const { exit, stderr } = await remove('--timeout', '30s');
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(/guarded-[a-z0-9]+-[a-z0-9]+/);
    expect(stderr).toMatch(/budget/i);
    expect(stderr).toContain('node3');
    expect(await nodes()).toBe('node1 node2 node3');
    expect(await kubectl("get node node3 -o 'jsonpath={.spec.unschedulable}'")).toBe('');
    await expectScaled(cluster, withWorker);
    await kubectl('delete poddisruptionbudget/guarded deployment/guarded --timeout=120s');
  });

  it('reports a finalizer that holds the Node, and continues once it is removed', async () => {
    await kubectl(`patch node node3 --type merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'`);
    const { exit, stderr } = await remove('--timeout', '60s');
    expect(exit).not.toBe(0);
    expect(stderr).toContain('example.com/hold');
    await kubectl(`patch node node3 --type merge -p '{"metadata":{"finalizers":null}}'`);
    await expectRun(remove('--resume'));
    await expectScaled(cluster, small);
    expect(await hostState(machine)).toEqual(before);
  });

  it('leaves nothing behind if the new master dies while it joins, and resumes when it is back', async () => {
    await cluster.write(withMaster);
    const adding = add();
    await isJoining();
    await faults.kill.apply(machine, {});
    const { exit, stderr } = await adding;
    expect(exit).not.toBe(0);
    expect(stderr).toContain('node3');
    await expectNothingLeft();
    await faults.kill.clear(machine);
    await expectRun(add('--resume'));
    await expectScaled(cluster, withMaster);
    await expectRun(remove());
    await expectScaled(cluster, small);
  });

  it('joins with a new token if the first one expires', async () => {
    await cluster.write(withWorker);
    const adding = add();
    const tokens = () => kubectl('-n kube-system get secrets -o name | grep bootstrap-token || true');
    await expect.poll(tokens, { timeout: 600_000, interval: 200 }).not.toBe('');
    await kubectl('-n kube-system delete secrets --field-selector type=bootstrap.kubernetes.io/token');
    const { exit, stderr } = await adding;
    if (exit !== 0) {
      expect(stderr).toMatch(/token/);
      await expectNothingLeft();
      await expectRun(add('--resume'));
    }
    await expectScaled(cluster, withWorker);
    expect(await tokens()).toBe('');
  });

  /** Resolves when the last run has started to join node3. */
  const isJoining = () =>
    expect
      .poll(() => /"type":"change","node":"[^"]*join[^"]*@node3"/.test(journalOf(lab)), {
        timeout: 600_000,
        interval: 100,
      })
      .toBe(true);
});

async function expectRun(called: ReturnType<ScaleCluster['call']>): Promise<void> {
  const { exit, stderr } = await called;
  expect(exit, stderr).toBe(0);
}

const labels = { app: 'guarded' };

/** A Pod on node3 whose budget never allows an eviction. */
const GUARDED = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'guarded', namespace: 'default' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            nodeSelector: { 'kubernetes.io/hostname': 'node3' },
            terminationGracePeriodSeconds: 1,
            containers: [{ name: 'guarded', image: 'docker.io/library/busybox:1.37.0', command: ['sleep', '1000000'] }],
          },
        },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'guarded', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
  ],
});
