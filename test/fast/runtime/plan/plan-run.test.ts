import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { deleteClusterPipeline } from '../../../../src/pipeline/cluster/delete.ts';
import type { Pipeline } from '../../../../src/pipeline/pipeline.ts';
import { createRegistryPipeline } from '../../../../src/pipeline/registry.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { draftPlan } from '../../../../src/runtime/plan/plan-run.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';
import { blankHost } from '../../step/os/blank-host.ts';

const CREATE = createClusterPipeline({ preflight: 'skip' });
const ALL = { nodes: [], tags: [], skipTags: [], task: undefined };

const load = (...overrides: readonly string[]) => loadCluster('examples/ha-haproxy.yaml', { overrides });

function draft(cluster: Cluster, pipeline: Pipeline, filter = {}) {
  const source = pipeline.name.startsWith('delete') ? {} : { assets: { type: 'catalog', offline: false } as const };
  return draftPlan({ pipeline, cluster, workdir: '/nonexistent', filter: { ...ALL, ...filter }, ...source });
}

/** Completes a draft, and counts what is looked up for it. */
async function complete(cluster: Cluster, pipeline: Pipeline, filter = {}) {
  const reached: string[] = [];
  const session = {
    cluster,
    hosts: hostsOf(cluster),
    reach: ({ name }: { readonly name: string }) => {
      reached.push(name);
      return Promise.resolve(createRunner(blankHost(name), fakeFacts(name)));
    },
  };
  const planned = await draft(cluster, pipeline, filter).complete(session);
  const summaries = nodesOf(planned.graph).map(({ step }) => step.summary);
  return { reached, planned, summaries };
}

describe('the tasks of a plan decide what is looked up', () => {
  const SECRET = 'registry.auths={"hub.example.com":{"username":"ann","password":{"env":"KUBEXM_TEST_UNSET"}}}';

  it.each([
    ['nothing for one task that installs nothing', { task: 'prepare-os' }, 0],
    ['nothing for etcd', { tags: ['etcd'] }, 0],
  ])('%s', async (_, filter, hosts) => {
    const { reached } = await complete(await load(SECRET), CREATE, filter);
    expect(reached).toHaveLength(hosts);
  });

  it('nothing for the removal of a cluster', async () => {
    expect((await complete(await load(SECRET), deleteClusterPipeline())).reached).toEqual([]);
  });

  it.each([
    ['a container runtime', CREATE, { tags: ['container-runtime'] }],
    ['downloads', CREATE, { tags: ['prepare-assets'] }],
  ])('registry credentials for %s', async (_, pipeline, filter) => {
    const cluster = await load(SECRET);
    await expect(complete(cluster, pipeline, filter)).rejects.toMatchObject({ code: 'SECRET_MISSING' });
  });

  it('registry credentials, but no architectures, for an external registry', async () => {
    const external = ['registry.type=external', 'registry.privateRegistry=images.example.com'];
    expect((await complete(await load(...external), createRegistryPipeline({ push: false }))).reached).toEqual([]);
    const secret = await load(...external, SECRET);
    await expect(complete(secret, createRegistryPipeline({ push: false }))).rejects.toMatchObject({
      code: 'SECRET_MISSING',
    });
  });

  it('the architectures of the selected hosts for downloads', async () => {
    const cluster = await load();
    const { reached } = await complete(cluster, CREATE);
    expect(reached).toEqual(cluster.hosts.map(({ name }) => name));
    expect((await complete(cluster, CREATE, { nodes: ['node1'], tags: ['prepare-assets'] })).reached).toEqual([
      'node1',
    ]);
  });
});

describe('downloads', () => {
  const overrides = [1, 2, 3, 4, 5].map((at) => `hosts.node${at}.arch=amd64`);
  const downloadsOf = async (filter: object) => {
    const { summaries } = await complete(await load(...overrides), CREATE, filter);
    const [files] = summaries.flatMap((text) => /^Download (\d+) files$/.exec(text)?.[1] ?? []);
    return Number(files);
  };

  it('are those of the selected modules, or of all if none is selected', async () => {
    const all = await downloadsOf({});
    const runtime = await downloadsOf({ tags: ['prepare-assets', 'container-runtime'] });
    const etcd = await downloadsOf({ tags: ['prepare-assets', 'etcd'] });
    expect(runtime).toBeGreaterThan(etcd);
    expect(all).toBeGreaterThan(runtime + etcd);
    expect(await downloadsOf({ tags: ['prepare-assets'] })).toBe(all);
  });

  it('of a registry include the images of the cluster if these are pushed', async () => {
    const own = [
      'roleGroups.registry=["node1"]',
      'registry.type=registry',
      'registry.privateRegistry=images.example.com',
    ];
    const cluster = await load(...overrides, ...own);
    const stepsOf = async (push: boolean) =>
      nodesOf((await complete(cluster, createRegistryPipeline({ push }))).planned.graph).map(({ step }) => step.name);
    expect(await stepsOf(false)).not.toContain('registry.push-images');
    expect(await stepsOf(true)).toContain('registry.push-images');
  });
});

it('refuses a selection that matches nothing before anything is looked up', async () => {
  const cluster = await load();
  expect(() => draft(cluster, CREATE, { tags: ['nothing'] })).toThrow(
    expect.objectContaining({ code: 'PLAN_NOTHING_SELECTED' }),
  );
});

it('names the steps whose messages are shown again', async () => {
  const cluster = await load();
  expect([...draft(cluster, createClusterPipeline()).reports]).toEqual(['preflight.judge']);
  expect([...draft(cluster, CREATE).reports]).toEqual([]);
});
