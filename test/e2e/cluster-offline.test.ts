import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { importBusybox } from '../lab/support/import-busybox.ts';
import { labNames } from '../lab/support.ts';
import { kubectlOn, verifyCluster } from '../lab/support/verify-cluster.ts';

const named = await labNames();
const name = named('offline');
const VERSION = '1.36.3';

it('a cluster is created from a bundle on machines without internet access', async () => {
  const lab = await labUp({ name, machines: 3 });
  const mirror = await clusterMirror(lab, VERSION);
  const file = await mirroredClusterFile(lab, mirror, { version: VERSION });
  const target = ['-f', file, '--workdir', lab.paths.folder];
  const bundle = join(lab.paths.folder, 'bundle.tar.zst');
  const before = await Promise.all(lab.machines.map(hostState));
  const packaged = await kubexm(['offline', 'package', '-o', bundle, ...target], localEnv());
  expect(packaged.exit, packaged.stderr).toBe(0);
  await mirror.close();
  // Services need a default route, so it points to an unused address.
  const unused = lab.machines[0]!.address.replace(/\d+$/, '253');
  for (const machine of lab.machines)
    await scriptOn(machine, `ip route show default >/run/was; ip route replace default via ${unused}`);

  const elsewhere = { KUBEXM_HOME: join(lab.paths.folder, 'elsewhere') };
  const [key = ''] = /SHA256:[\w+/]+/.exec(packaged.stdout + packaged.stderr) ?? [];
  const verified = await kubexm(['offline', 'verify', bundle, '--key', key], elsewhere);
  expect(verified.exit, verified.stderr).toBe(0);
  const created = await kubexm(
    ['create', 'cluster', '--skip-preflight', '--offline-bundle', bundle, ...target],
    elsewhere,
  );
  expect(created.exit, created.stderr).toBe(0);
  await importBusybox(
    lab,
    lab.machines.map((machine) => machine.name),
  );
  await verifyCluster(kubectlOn(() => lab));
  const again = await kubexm(['create', 'cluster', '--skip-preflight', '--offline', ...target], elsewhere);
  expect(again.stderr).toContain('Nothing to do');
  const deleted = await kubexm(['delete', 'cluster', '--yes', ...target], elsewhere);
  expect(deleted.exit, deleted.stderr).toBe(0);
  for (const machine of lab.machines) await scriptOn(machine, 'ip route replace $(cat /run/was); rm /run/was');
  expect(await Promise.all(lab.machines.map(hostState))).toEqual(before);
}, 3_600_000);

const localEnv = () => ({ KUBEXM_HOME: process.env['KUBEXM_HOME']! });
