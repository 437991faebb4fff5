import { expect, it, onTestFinished } from 'vitest';
import { labDown } from '../../src/lab/down.ts';
import { labUp } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { labNames } from '../lab/support.ts';
import { kubectlOn, verifyCluster } from '../lab/support/verify-cluster.ts';
import { killRepeatedly, afterRecords } from './support/repeated-kills.ts';
import { TYPES } from './support/cluster-types.ts';

const named = await labNames();
const VERSION = '1.36.3';

it.each(TYPES)(
  'a cluster of type %s is complete after kubexm was killed twenty times while creating it',
  async (type) => {
    const name = named(`killed-${type}`);
    onTestFinished(async () => void (await labDown(name)));
    const lab = await labUp({ name, machines: 3 });
    const mirror = await clusterMirror(lab, VERSION);
    const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec: { kubernetes: { type } } });
    const target = ['-f', file, '--workdir', lab.paths.folder];
    const env = { KUBEXM_HOME: process.env['KUBEXM_HOME']! };
    try {
      const before = await Promise.all(lab.machines.map(hostState));
      const create = ['create', 'cluster', '--skip-preflight', ...target];
      const kills = await killRepeatedly({ lab, args: create, next: () => afterRecords(lab, 12) });
      console.log(`${kills.length} kills during one create on three machines:\n${kills.join('\n')}`);
      expect(kills.length).toBeGreaterThanOrEqual(20);
      await verifyCluster(kubectlOn(() => lab));
      expect((await kubexm(create, env)).stderr).toContain('Nothing to do');
      const deleted = await kubexm(['delete', 'cluster', '--yes', ...target], env);
      expect(deleted.exit, deleted.stderr).toBe(0);
      expect(await Promise.all(lab.machines.map(hostState))).toEqual(before);
    } finally {
      await mirror.close();
    }
  },
  5_400_000,
);
