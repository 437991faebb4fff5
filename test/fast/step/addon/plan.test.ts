import { describe, expect, it } from 'vitest';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { addonRecipe } from '../../../../src/step/addon/recipe.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { load, patched } from '../network/support.ts';

const golden = (name: string) => `../../../golden/addon/${name}`;

const stepsOf = async (...overrides: readonly string[]) => {
  const cluster = await load(...overrides);
  const pipeline = createClusterPipeline({ preflight: 'skip' });
  return nodesOf(plan(pipeline, cluster, fakeAssets(cluster)))
    .filter(({ task }) => /^(network|addon)\//.test(task.path))
    .map(({ task, step, host }) => `${task.path} ${step.name} ${host.name}`);
};

describe('the plan', () => {
  it.each([
    ['calico', ['network.plugin=calico', 'network.multus=true']],
    ['cilium', ['network.plugin=cilium']],
    ['kube-ovn', ['network.plugin=kube-ovn']],
    ['none', ['network.plugin=none']],
    [
      'everything',
      [
        'kubernetes.nodelocaldns=true',
        'kubernetes.nodeFeatureDiscovery=true',
        'storage={"openebs":{},"nfs":{"server":"10.0.0.9","path":"/srv"},"longhorn":true,"localPath":true}',
        'addons=["metallb","metrics-server","monitoring","ingress-nginx",{"name":"mine","type":"yaml","source":{"path":"mine.yaml"}},{"name":"theirs","type":"helm","source":{"chart":"theirs","repo":"https://charts.example.com","version":"1.2.3"}}]',
      ],
    ],
  ])('with %s', async (name, overrides) => {
    await expect(`${(await stepsOf(...overrides)).join('\n')}\n`).toMatchFileSnapshot(golden(`plan-${name}.txt`));
  });

  it.each([
    ['addons=["velero"]'],
    ['kubernetes.kata=true'],
    ['addons=[{"name":"mine","type":"helm","source":{"chart":"mine","repo":"https://charts.example.com"}}]'],
  ])('starts with the rejection of %s, which is not supported yet', async (override) => {
    const cluster = await load(override);
    const pipeline = createClusterPipeline({ preflight: 'skip' });
    const [first] = nodesOf(plan(pipeline, cluster, fakeAssets(cluster)));
    expect(first?.step.name).toBe('kubernetes.support');
  });
});

describe('catalog addons', () => {
  const STORAGE =
    'storage={"openebs":{"basePath":"/data/volumes"},"nfs":{"server":"10.0.0.9","path":"/srv"},"longhorn":true}';

  it('make only the first StorageClass the default', async () => {
    const cluster = await load(STORAGE);
    const valuesOf = (name: 'openebs' | 'nfs-client' | 'longhorn') => addonRecipe(name, cluster, fakeAssets(cluster));
    expect(valuesOf('openebs')).toMatchObject({
      namespace: 'openebs',
      values: { hostpathClass: { basePath: '/data/volumes', isDefaultClass: true }, analytics: { enabled: false } },
    });
    expect(valuesOf('nfs-client')).toMatchObject({
      values: { nfs: { server: '10.0.0.9', path: '/srv' }, storageClass: { defaultClass: false } },
    });
    expect(valuesOf('longhorn')).toMatchObject({ values: { persistence: { defaultClass: false } } });
  });

  it.each([
    ['local-path', ['storage.localPath=true'], 'local-path'],
    ['local-path', ['storage.localPath=true', 'storage.longhorn=true'], 'local-path-second'],
    ['metrics-server', ['addons=["metrics-server"]'], 'metrics-server'],
  ] as const)('%s is patched with %j', async (name, overrides, file) => {
    const cluster = await load(...overrides);
    const recipe = addonRecipe(name, cluster, fakeAssets(cluster));
    if (recipe?.type !== 'manifest') throw new Error('not a manifest');
    await expect(patched(name, cluster, recipe.patch)).toMatchFileSnapshot(golden(`${file}.yaml`));
  });

  it.each([
    'kubernetes.kubeletConfiguration={"serverTLSBootstrap":true}',
    'kubernetes.kubeletConfiguration={"tlsCertFile":"/etc/kubernetes/pki/kubelet.crt"}',
    'kubernetes.type=kubexm',
  ])('let metrics-server verify kubelet certificates with %s', async (override) => {
    const cluster = await load('addons=["metrics-server"]', override);
    const recipe = addonRecipe('metrics-server', cluster, fakeAssets(cluster));
    if (recipe?.type !== 'manifest') throw new Error('not a manifest');
    expect(patched('metrics-server', cluster, recipe.patch)).not.toContain('insecure');
  });
});
