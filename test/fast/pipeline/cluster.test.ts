import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../src/config/load/load.ts';
import { createClusterPipeline } from '../../../src/pipeline/cluster/create.ts';
import { deleteClusterPipeline } from '../../../src/pipeline/cluster/delete.ts';
import { nodesOf } from '../../../src/plan/graph.ts';
import { plan } from '../../../src/runtime/plan/plan.ts';
import { fakeAssets } from '../../fake/fake-assets.ts';

const runtime = 'kubernetes.containerRuntime';
const registry = ['roleGroups.registry=["node1"]', 'registry.privateRegistry=images.example.com'];
const CLUSTERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'examples/ha-haproxy.yaml': [
    [],
    [...registry, 'registry.type=registry'],
    [...registry, 'registry.type=harbor'],
    ['network.plugin=cilium'],
    ['kubernetes.audit.enabled=true', 'kubernetes.encryptionAtRest=true', 'kubernetes.patches=/srv/patches'],
  ],
  'examples/ha-nginx.yaml': [[], ['kubernetes.type=kubexm']],
  'examples/ha-kube-vip.yaml': [[]],
  'examples/ha-kubexm-kh.yaml': [[]],
  'examples/ha-kubexm-kn.yaml': [[]],
  'examples/external-etcd.yaml': [[]],
  'examples/binary.yaml': [[], ['network.plugin=cilium', 'network.cilium.kubeProxyReplacement=true']],
  'test/fixtures/prepare-os.yaml': [[]],
  'test/fixtures/registries.yaml': [
    [`${runtime}.type=docker`],
    [`${runtime}.type=docker`, `${runtime}.from=packages`],
    [`${runtime}.type=cri-o`],
    [`${runtime}.type=cri-o`, `${runtime}.from=packages`],
    [`${runtime}.type=isulad`, `${runtime}.from=packages`],
  ],
};
const clusters = Object.entries(CLUSTERS).flatMap(([file, all]) =>
  all.map((overrides) => ({ file, overrides, title: `${file} ${overrides.join(' ')}`.trimEnd() })),
);

/** The reversible steps of `create cluster` and the undone ones of `delete cluster`, as "step@host". */
async function stepsOf(file: string, overrides: readonly string[]) {
  const cluster = await loadCluster(file, { overrides });
  const created = nodesOf(plan(createClusterPipeline({ preflight: 'skip' }), cluster, fakeAssets(cluster)));
  const deleted = nodesOf(plan(deleteClusterPipeline(), cluster));
  const id = (step: string, host: string) => `${step}@${host}`;
  return {
    changed: created.flatMap(({ step, host }) => (step.reversible ? [id(step.name, host.name)] : [])),
    undone: deleted.flatMap(({ step, host }) =>
      step.name.endsWith('.undo') ? [id(step.name.replace(/\.undo$/, ''), host.name)] : [],
    ),
  };
}

describe('delete cluster', () => {
  it.each(clusters)('undoes every step of create cluster that changes a host: $title', async ({ file, overrides }) => {
    const { changed, undone } = await stepsOf(file, overrides);
    expect(changed.length).toBeGreaterThan(10);
    expect(changed.filter((step) => !undone.includes(step))).toEqual([]);
  });

  it('undoes only steps that create cluster has', async () => {
    const all = await Promise.all(clusters.map(({ file, overrides }) => stepsOf(file, overrides)));
    const names = (ids: readonly string[]) => ids.map((id) => id.split('@')[0]!);
    const known = new Set(all.flatMap(({ changed }) => names(changed)));
    const undone = new Set(all.flatMap((steps) => names(steps.undone)));
    expect([...undone].filter((step) => !known.has(step))).toEqual([]);
  });
});
