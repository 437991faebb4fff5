import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { installRuntimeModule } from '../../../../src/module/container-runtime.ts';
import { prepareHostsModule } from '../../../../src/module/infrastructure.ts';
import { joinModule } from '../../../../src/module/kubernetes.ts';
import { prepareAssetsModule } from '../../../../src/module/preflight.ts';
import type { Module } from '../../../../src/module/module.ts';
import { definePipeline } from '../../../../src/pipeline/pipeline.ts';
import { sequence } from '../../../../src/plan/fragment.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { draftPlan } from '../../../../src/runtime/plan/plan-run.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';
import { blankHost } from '../../step/os/blank-host.ts';

/** Three masters and two workers. */
const load = (...overrides: readonly string[]) => loadCluster('examples/ha-haproxy.yaml', { overrides });

const scoped = async (hosts: readonly string[], master: string, modules: readonly Module[]) => {
  const cluster = await load();
  const pipeline = definePipeline({
    name: 'test',
    command: 'test',
    title: 'Test',
    plan: ({ module }) => sequence(...modules.map((each) => module(each, { cluster, hosts, master }))),
  });
  return { cluster, pipeline };
};

describe('a module with a scope', () => {
  it('acts on the hosts of the scope only', async () => {
    const { cluster, pipeline } = await scoped(['node4'], 'node2', [prepareHostsModule, installRuntimeModule]);
    const hosts = new Set(nodesOf(plan(pipeline, cluster, fakeAssets(cluster))).map(({ host }) => host.name));
    expect([...hosts]).toEqual(['node4']);
  });

  it('joins nodes through the running master, even the first master of the cluster file', async () => {
    const { cluster, pipeline } = await scoped(['node1', 'node4'], 'node2', [joinModule]);
    const joined = nodesOf(plan(pipeline, cluster, fakeAssets(cluster))).filter(({ step }) => /join/.test(step.name));
    expect(joined.map(({ host, task }) => `${task.name} ${host.name}`)).toEqual([
      'join-masters node1',
      'join-workers node4',
    ]);
  });

  it('rejects a host that the cluster does not have', async () => {
    const { cluster, pipeline } = await scoped(['node9'], 'node1', [joinModule]);
    expect(() => plan(pipeline, cluster, fakeAssets(cluster))).toThrow('node9 is not a host of the cluster');
  });

  it('reads the architecture of its hosts only', async () => {
    const { cluster, pipeline } = await scoped(['node4'], 'node1', [prepareAssetsModule, installRuntimeModule]);
    const reached: string[] = [];
    await draftPlan({
      pipeline,
      cluster,
      workdir: '/nonexistent',
      filter: { nodes: [], tags: [], skipTags: [], task: undefined },
      assets: { type: 'catalog', offline: false },
    }).complete({
      cluster,
      hosts: hostsOf(cluster),
      reach: ({ name }) => {
        reached.push(name);
        return Promise.resolve(createRunner(blankHost(name), fakeFacts(name)));
      },
    });
    expect(reached).toEqual(['node4']);
  });
});
