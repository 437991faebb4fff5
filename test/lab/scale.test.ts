import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { clusterMirror, needsClusterMirror } from './support/cluster-mirror.ts';
import { hostState } from './support/host-state.ts';
import { expectLoad, prepareLoad, type Load } from './support/load.ts';
import { expectScaled, SCALE_VERSION, scaleCluster, type ScaleCluster } from './support/scale-cluster.ts';
import { labNames } from './support.ts';

const named = await labNames();
const name = named('scale');
const TWO = { master: ['node1'], worker: ['node2'] };
const THREE = { ...TWO, worker: ['node2', 'node3'] };
const LIMITS = { apiFailures: 0, serviceFailures: 0, gapSeconds: 10 };

describe('a cluster under load', await needsClusterMirror(SCALE_VERSION), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let cluster: ScaleCluster;
  let load: Load;
  let before: readonly string[];

  beforeAll(async () => {
    lab = await labUp({ name, machines: 3 });
    mirror = await clusterMirror(lab, SCALE_VERSION);
    cluster = await scaleCluster(lab, mirror, { type: 'kubeadm', groups: TWO });
    before = await hostState(cluster.machine('node3'));
    await cluster.run('create', 'cluster', '--skip-preflight');
    const api = cluster.machine('node1').address;
    load = await prepareLoad({ lab, from: 'node2', api, kubectl: cluster.kubectl(TWO) });
  });
  afterAll(() => mirror.close());

  it('gets a worker that the cluster file did not have', async () => {
    const { report } = await load.during('add a worker', () => cluster.add('worker', 'node3'));
    expectLoad(report, LIMITS);
    await expectScaled(cluster, THREE);
  });

  it('loses a worker, which is restored to its original state', async () => {
    const remove = () => cluster.run('delete', 'nodes', '--nodes', 'node3', '--yes');
    const { report } = await load.during('delete a worker', remove);
    expectLoad(report, LIMITS);
    await expectScaled(cluster, TWO);
    expect(await hostState(cluster.machine('node3'))).toEqual(before);
  });
});
