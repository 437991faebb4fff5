import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { deleteClusterPipeline } from '../../../../src/pipeline/cluster/delete.ts';
import type { Pipeline } from '../../../../src/pipeline/pipeline.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { outline } from '../../../../src/plan/outline.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { changesOn } from './changes-on.ts';
import { SYSTEMS } from './systems.ts';

const cluster = await loadCluster('test/fixtures/prepare-os.yaml', {});
const createCluster = createClusterPipeline({ preflight: 'skip' });
const deleteCluster = deleteClusterPipeline();

describe('plan', () => {
  it.each([createCluster, deleteCluster])('of $command', async (pipeline) => {
    const text = `${outline(plan(pipeline, cluster, fakeAssets(cluster)))}\n`;
    await expect(text).toMatchFileSnapshot(`../../../golden/os/${pipeline.name}.txt`);
  });
});

const OWN = ['debian-12', 'ubuntu-22.04', 'rocky-8', 'rocky-9', 'centos-7', 'openeuler-22.03', 'kylin-v10'] as const;

describe('changes on a master', () => {
  it.each(OWN)('on %s', async (system) => {
    await expect(await changesOn(system, 'node1', cluster)).toMatchFileSnapshot(
      `../../../golden/os/master-${system}.txt`,
    );
  });

  it.each([
    ['ubuntu-24.04', 'ubuntu-22.04'],
    ['almalinux-8', 'rocky-8'],
    ['rhel-8', 'rocky-8'],
    ['almalinux-9', 'rocky-9'],
    ['rhel-9', 'rocky-9'],
  ] as const)('on %s is the same as on %s', async (system, other) => {
    expect(await changesOn(system, 'node1', cluster)).toBe(await changesOn(other, 'node1', cluster));
  });
});

it('installs the packages of all roles in one transaction per host', async () => {
  const lines = Object.keys(SYSTEMS).map(async (system) => {
    const hosts = ['node1', 'node2', 'node3'].map(async (name) => {
      const text = await changesOn(system, name, cluster);
      return `  ${name}  ${/^os\.packages\n {2}(.*)$/m.exec(text)?.[1]}`;
    });
    return [system, ...(await Promise.all(hosts))].join('\n');
  });
  await expect(`${(await Promise.all(lines)).join('\n')}\n`).toMatchFileSnapshot('../../../golden/os/packages.txt');
});

const stepsOf = (pipeline: Pipeline, of: Cluster) => [
  ...new Set(
    nodesOf(plan(pipeline, of, fakeAssets(of)))
      .filter(({ task }) => task.path.startsWith('infrastructure/'))
      .map(({ step }) => step.name),
  ),
];

it('leaves unchanged what the cluster file says to keep', async () => {
  const kept = ['firewall', 'selinux', 'swap', 'hostname', 'etcHosts', 'packages', 'modules', 'sysctl'];
  const overrides = [...kept.map((field) => `system.${field}=keep`), 'system.ntpServers=[]', 'extra.resolves=[]'];
  const { system, ...rest } = await loadCluster('test/fixtures/prepare-os.yaml', { overrides });
  const unchanged = { ...rest, system: { ...system, timezone: undefined } };
  expect(stepsOf(createCluster, unchanged)).toEqual(['os.withdraw-packages']);
  // An earlier version of the cluster file may have changed it, so it is undone.
  expect(stepsOf(deleteCluster, unchanged)).toEqual(stepsOf(deleteCluster, cluster));
});

it.each(['debian-12', 'rocky-9'])('synchronizes with external time servers on %s', async (system) => {
  const overrides = ['system.ntpServers=[ntp.example.com, 2.pool.ntp.org]'];
  const external = await loadCluster('test/fixtures/prepare-os.yaml', { overrides });
  const text = await changesOn(system, 'node2', external);
  const chrony = text.slice(text.indexOf('time.chrony\n'));
  await expect(chrony).toMatchFileSnapshot(`../../../golden/os/outside-time-${system}.txt`);
});

it('disables the firewall', async () => {
  const off = { ...cluster, system: { ...cluster.system, firewall: 'disable' as const } };
  expect(await changesOn('rocky-9', 'node1', off)).toContain(
    'os.firewall\n  undo: open only the required ports with nftables\n  stop and disable firewalld.service\n  stop and disable ufw.service',
  );
});

it('opens the port of sshd, also with socket activation and if the cluster file has another port', async () => {
  expect(await changesOn('ubuntu-24.04', 'node3', cluster)).toContain('tcp dport 22 accept');
  expect(await changesOn('ubuntu-22.04', 'node3', cluster)).not.toContain('tcp dport 22 accept');
});
