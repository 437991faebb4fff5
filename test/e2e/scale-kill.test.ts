import { expect, it, onTestFinished } from 'vitest';
import { labDown } from '../../src/lab/down.ts';
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
} from '../lab/support/scale-cluster.ts';
import { labNames } from '../lab/support.ts';
import { TYPES } from './support/cluster-types.ts';
import { afterRecords, killRepeatedly } from './support/repeated-kills.ts';

const named = await labNames();
const KILLS = 20;
/** With one master at first, clients wait while its API server or etcd restarts, and longer if kubexm is killed meanwhile. */
const LIMITS: LoadLimits = { apiFailures: 1500, serviceFailures: 0, gapSeconds: 240 };

it.each(TYPES)(
  'a %s cluster is complete after kubexm was killed twenty times while adding and deleting masters',
  async (type) => {
    const stacked = (names: readonly string[]) => (type === 'kubexm' ? { etcd: names } : {});
    const groups = (names: readonly string[]): Groups => ({ ...stacked(names), master: names, worker: ['node4'] });
    const [one, three] = [groups(['node1']), groups(['node1', 'node2', 'node3'])];
    const spec = { controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } };
    const { cluster, load } = await newCluster(`kill-${type}`, 4, { type, groups: one, spec }, '127.0.0.1', 'node4');
    const before = await hostState(cluster.machine('node2'));

    await cluster.write(three);
    await killedDuring(cluster, load, 'add masters', ['add', 'nodes', '--yes']);
    await expectScaled(cluster, three);

    await killedDuring(cluster, load, 'delete a master', ['delete', 'nodes', '--nodes', 'node2', '--yes']);
    await expectScaled(cluster, groups(['node1', 'node3']));
    expect(await hostState(cluster.machine('node2'))).toEqual(before);
  },
  5_400_000,
);

it.each(TYPES)(
  'etcd of a %s cluster is complete after kubexm was killed twenty times while adding members',
  async (type) => {
    const base = { master: ['node1'], worker: ['node2'] };
    const three = { etcd: ['node3', 'node4', 'node5'], ...base };
    const options = { type, groups: { etcd: ['node3'], ...base } };
    const { cluster, load } = await newCluster(`kill-etcd-${type}`, 5, options, undefined, 'node2');
    await cluster.write(three);
    await killedDuring(cluster, load, 'add etcd members', ['add', 'nodes', '--yes']);
    await expectScaled(cluster, three);
  },
  5_400_000,
);

async function newCluster(
  name: string,
  machines: number,
  options: Parameters<typeof scaleCluster>[2],
  api: string | undefined,
  from: string,
): Promise<{ readonly cluster: ScaleCluster; readonly load: Load }> {
  const full = named(name);
  const lab = await labUp({ name: full, machines });
  onTestFinished(async () => void (await labDown(full)));
  const mirror = await clusterMirror(lab, SCALE_VERSION, 'haproxy');
  onTestFinished(() => mirror.close());
  const cluster = await scaleCluster(lab, mirror, options);
  await cluster.run('create', 'cluster', '--skip-preflight');
  const address = api ?? cluster.machine('node1').address;
  return { cluster, load: await prepareLoad({ lab, from, api: address, kubectl: cluster.kubectl(options.groups) }) };
}

/** Runs a command to its end under load, killing it after every few journal records and resuming it. */
async function killedDuring(
  { lab, file }: ScaleCluster,
  load: Load,
  title: string,
  command: readonly string[],
): Promise<void> {
  const args = [...command, '-f', file, '--workdir', lab.paths.folder];
  let number = 0;
  const next = () => {
    number += 1;
    const when = number % 2 === 0 ? ('before' as const) : ('saved' as const);
    // The last journal belongs to the previous command until the first record of this one.
    return number === 1 ? { record: STRIDE, when } : { ...afterRecords(lab, STRIDE), when };
  };
  const { result, report } = await load.during(title, () => killRepeatedly({ lab, args, next }));
  console.log(`${result.length} kills during ${title}:\n${result.join('\n')}`);
  expect(result.length).toBeGreaterThanOrEqual(KILLS);
  expectLoad(report, LIMITS);
}

const STRIDE = 6;
