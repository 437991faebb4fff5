import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../src/config/load/load.ts';
import { createClusterPipeline } from '../../../src/pipeline/cluster/create.ts';
import type { ExecutionGraph } from '../../../src/plan/graph.ts';
import { plan } from '../../../src/runtime/plan/plan.ts';
import { fakeAssets } from '../../fake/fake-assets.ts';

const graphOf = async (...overrides: readonly string[]) => {
  const cluster = await loadCluster('examples/cis.yaml', { overrides });
  return plan(createClusterPipeline({ preflight: 'skip' }), cluster, fakeAssets(cluster));
};

/** The indexes of the nodes of a step, and everything that a vertex waits for, directly or not. */
function ordered({ vertices }: ExecutionGraph) {
  const before: ReadonlySet<number>[] = [];
  for (const { after } of vertices) {
    const direct = typeof after === 'number' ? [after] : after;
    before.push(new Set(direct.flatMap((index) => [index, ...before[index]!])));
  }
  const indexesOf = (step: string) =>
    vertices.flatMap((vertex, index) => (vertex.type !== 'gate' && vertex.step.name === step ? [index] : []));
  return { indexesOf, waitsFor: (one: number, other: number) => before[one]!.has(other) };
}

describe('changes of the control plane', () => {
  it.each([
    ['kubeadm', 'kubeadm.control-plane'],
    ['kubexm', 'kube-apiserver.serve'],
    ['kubeadm', 'apiserver.encrypt'],
    ['kubexm', 'apiserver.encrypt'],
  ])('with %s reach one master after another in %s', async (type, step) => {
    const { indexesOf, waitsFor } = ordered(await graphOf(`kubernetes.type=${type}`));
    const masters = indexesOf(step);
    expect(masters).toHaveLength(3);
    expect(waitsFor(masters[1]!, masters[0]!) && waitsFor(masters[2]!, masters[1]!)).toBe(true);
  });

  it('let API servers verify kubelets only after all kubelets have serving certificates', async () => {
    const { indexesOf, waitsFor } = ordered(await graphOf());
    const kubelets = indexesOf('kubelet.serving-certificate');
    const [first] = indexesOf('kubeadm.control-plane');
    expect(kubelets).toHaveLength(4);
    expect(kubelets.every((kubelet) => waitsFor(first!, kubelet))).toBe(true);
  });

  it('encrypt Secrets only after all API servers can read encrypted ones', async () => {
    for (const [type, step] of [
      ['kubeadm', 'kubeadm.control-plane'],
      ['kubexm', 'kube-apiserver.serve'],
    ]) {
      const { indexesOf, waitsFor } = ordered(await graphOf(`kubernetes.type=${type}`));
      const [first] = indexesOf('apiserver.encrypt');
      const [existing] = indexesOf('apiserver.encrypt-existing');
      expect(indexesOf(step!).every((master) => waitsFor(first!, master))).toBe(true);
      expect(indexesOf('apiserver.encrypt').every((master) => waitsFor(existing!, master))).toBe(true);
    }
  });
});
