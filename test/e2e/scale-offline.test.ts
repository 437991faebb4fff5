import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { labDown } from '../../src/lab/down.ts';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp } from '../../src/lab/up.ts';
import { clusterMirror } from '../lab/support/cluster-mirror.ts';
import { hostState, withoutTimestamps } from '../lab/support/host-state.ts';
import { importBusybox } from '../lab/support/import-busybox.ts';
import { expectLoad, prepareLoad } from '../lab/support/load.ts';
import { expectScaled, SCALE_VERSION, scaleCluster, type Groups } from '../lab/support/scale-cluster.ts';
import { labNames } from '../lab/support.ts';
import { TYPES } from './support/cluster-types.ts';

const named = await labNames();
/** Clients of the only master wait while etcd or its API server restarts. */
const LIMITS = { apiFailures: 400, serviceFailures: 0, gapSeconds: 90 };

it.each(TYPES)(
  'masters and workers join and leave a %s cluster from a bundle, without internet access',
  async (type) => {
    const stacked = (...names: readonly string[]) => (type === 'kubexm' ? { etcd: names } : {});
    const small: Groups = { ...stacked('node1'), master: ['node1'], worker: ['node2'] };
    const large: Groups = {
      ...stacked('node1', 'node3', 'node4'),
      master: ['node1', 'node3', 'node4'],
      worker: ['node2', 'node5'],
    };
    const name = named(`offline-${type}`);
    onTestFinished(async () => void (await labDown(name)));
    const lab = await labUp({ name, machines: 5 });
    const mirror = await clusterMirror(lab, SCALE_VERSION, 'haproxy');
    const spec = { controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } };
    const cluster = await scaleCluster(lab, mirror, { type, groups: small, spec });
    const bundle = join(lab.paths.folder, 'bundle.tar.zst');
    await cluster.run('offline', 'package', '-o', bundle);
    await mirror.close();
    // Services need a default route, so it points to an unused address.
    const unused = lab.machines[0]!.address.replace(/\d+$/, '253');
    for (const machine of lab.machines) await scriptOn(machine, `ip route replace default via ${unused}`);
    const before = withoutTimestamps(await hostState(cluster.machine('node5')));

    await cluster.run('create', 'cluster', '--skip-preflight', '--offline-bundle', bundle);
    await importBusybox(lab, ['node1', 'node2']);
    const load = await prepareLoad({ lab, from: 'node2', api: '127.0.0.1', kubectl: cluster.kubectl(small) });
    await cluster.write(large);
    const added = await load.during('add nodes from a bundle', () =>
      cluster.run('add', 'nodes', '--skip-preflight', '--offline-bundle', bundle, '--yes'),
    );
    expectLoad(added.report, LIMITS);
    await expectScaled(cluster, large);
    const deleted = await load.during('delete nodes', () =>
      cluster.run('delete', 'nodes', '--nodes', 'node3,node4,node5', '--yes'),
    );
    expectLoad(deleted.report, LIMITS);
    await expectScaled(cluster, small);
    expect(withoutTimestamps(await hostState(cluster.machine('node5')))).toEqual(before);
  },
  3_600_000,
);
