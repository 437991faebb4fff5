import { describe, expect, it } from 'vitest';
import { catalogOf } from '../../../src/artifact/catalog/catalog.ts';
import type { Cluster } from '../../../src/config/cluster.ts';
import { loadCluster } from '../../../src/config/load.ts';
import { CREATED, createClusterWith } from '../../../src/pipeline/cluster/create.ts';
import { deleteCluster } from '../../../src/pipeline/cluster/delete.ts';
import { nodesOf } from '../../../src/plan/graph.ts';
import { outline } from '../../../src/plan/outline.ts';
import { createRunner } from '../../../src/runner/create-runner.ts';
import { hostsOf, plan } from '../../../src/runtime/plan.ts';
import { blankHost } from './blank-host.ts';
import { factsOf, SYSTEMS } from './systems.ts';

const cluster = await loadCluster('test/fixtures/prepare-os.yaml', {});
// What is checked before has plans of its own.
const fetch = catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, 'amd64'])), CREATED);
const createCluster = createClusterWith({
  preflight: 'skip',
  assets: {
    ...fetch,
    fetch,
    artifacts: cluster.artifacts,
    accesses: {},
    folder: '/nonexistent',
    offline: true,
  },
});

/** What would be done to a host with this system: each part, and what it would write. */
async function changesOn(system: string, name: string, of: Cluster = cluster): Promise<string> {
  const hosts = hostsOf(of);
  const nodes = nodesOf(plan(createCluster, of)).filter(
    ({ host, task }) => host.name === name && task.path.startsWith('infrastructure/'),
  );
  const lines = nodes.map(async ({ step, host }) => {
    const facts = factsOf(system, name);
    const runner = createRunner(blankHost(name), facts);
    const rest = { on: () => runner, cache: { get: () => undefined, set() {} }, say() {} };
    const places = { keepDir: '/keep', originDir: '/before', signal: new AbortController().signal };
    const ctx = { host, hosts, facts, runner, ...rest, ...places };
    const parts = step.parts(ctx).map(async (part) => {
      const finding = await part.precheck(ctx);
      const diff = finding.done ? '' : (finding.diff ?? '');
      return [
        `  ${part.summary}`,
        ...diff
          .split('\n')
          .slice(2)
          .filter(Boolean)
          .map((line) => `    ${line}`),
      ].join('\n');
    });
    return [step.name, ...(await Promise.all(parts))].join('\n');
  });
  return `${(await Promise.all(lines)).join('\n')}\n`;
}

describe('the plan', () => {
  it.each([createCluster, deleteCluster])('of $command', async (pipeline) => {
    const text = `${outline(plan(pipeline, cluster))}\n`;
    await expect(text).toMatchFileSnapshot(`../../golden/os/${pipeline.name}.txt`);
  });
});

const OWN = ['debian-12', 'ubuntu-22.04', 'rocky-8', 'rocky-9', 'centos-7', 'openeuler-22.03', 'kylin-v10'] as const;

describe('what is done to a master', () => {
  it.each(OWN)('on %s', async (system) => {
    await expect(await changesOn(system, 'node1')).toMatchFileSnapshot(`../../golden/os/master-${system}.txt`);
  });

  it.each([
    ['ubuntu-24.04', 'ubuntu-22.04'],
    ['almalinux-8', 'rocky-8'],
    ['rhel-8', 'rocky-8'],
    ['almalinux-9', 'rocky-9'],
    ['rhel-9', 'rocky-9'],
  ] as const)('on %s is the same as on %s', async (system, other) => {
    expect(await changesOn(system, 'node1')).toBe(await changesOn(other, 'node1'));
  });
});

it('packages of all roles, in one transaction on each host', async () => {
  const lines = Object.keys(SYSTEMS).map(async (system) => {
    const hosts = ['node1', 'node2', 'node3'].map(async (name) => {
      const text = await changesOn(system, name);
      return `  ${name}  ${/^os\.packages\n {2}(.*)$/m.exec(text)?.[1]}`;
    });
    return [system, ...(await Promise.all(hosts))].join('\n');
  });
  await expect(`${(await Promise.all(lines)).join('\n')}\n`).toMatchFileSnapshot('../../golden/os/packages.txt');
});

it('leaves alone what the file says so', async () => {
  const system = { ...cluster.system, firewall: 'keep', selinux: 'keep', swap: 'keep', timezone: undefined } as const;
  const modest = {
    ...cluster,
    system: { ...system, time: { type: 'none' } as const },
    extra: { hosts: [], resolves: [] },
  };
  const nodes = nodesOf(plan(createCluster, modest)).filter(({ task }) => task.path.startsWith('infrastructure/'));
  const steps = new Set(nodes.map(({ step }) => step.name));
  expect([...steps]).toEqual(['os.hostname', 'os.hosts', 'os.packages', 'os.modules', 'os.sysctl']);
});

it('switches the firewall off where it is asked to', async () => {
  const off = { ...cluster, system: { ...cluster.system, firewall: 'disable' as const } };
  expect(await changesOn('rocky-9', 'node1', off)).toContain(
    'os.firewall\n  undo: let in only what the host needs, with nftables\n  stop and disable firewalld.service\n  stop and disable ufw.service',
  );
});
