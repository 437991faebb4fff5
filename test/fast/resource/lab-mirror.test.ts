import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { catalogOf } from '../../../src/resource/catalog/cluster-artifacts.ts';
import { loadCluster } from '../../../src/config/load/load.ts';
import { componentsFor } from '../../../src/lab/mirror/catalog.ts';

const ADDONS = ['metrics-server', 'local-path-provisioner', 'busybox'];

it('lab mirror: serves its addons at the URLs that a cluster downloads from', async () => {
  const overrides = ['addons=["metrics-server"]', 'storage={"localPath":true}'];
  const cluster = await loadCluster('examples/single-node.yaml', { overrides });
  const { files, images } = catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, 'amd64'])));
  const mirror = componentsFor({ versions: ['1.36.3'], components: ADDONS });
  const urls = mirror.flatMap((component) => component.files.map(({ url }) => `https://${url}`));
  const wanted = files.filter(({ name }) => name === 'metrics-server-manifest' || name === 'local-path-manifest');
  expect(wanted.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
  const refs = mirror.flatMap((component) => component.images.flatMap(({ names }) => names));
  const required = images.filter(({ name }) => ['metrics-server', 'local-path', 'busybox'].includes(name));
  expect(required).toHaveLength(3);
  expect(refs).toEqual(expect.arrayContaining(required.map(({ ref }) => ref)));
});

it('lab mirror: the metrics-server manifest has all required objects', () => {
  const [component] = componentsFor({ versions: ['1.36.3'], components: ['metrics-server'] });
  const content = component?.files[0]?.content;
  if (content?.type !== 'text') throw new Error('expected generated text');
  const objects = parseAllDocuments(content.text).map((one) => one.toJS());
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'ServiceAccount metrics-server',
    'ClusterRole system:aggregated-metrics-reader',
    'ClusterRole system:metrics-server',
    'RoleBinding metrics-server-auth-reader',
    'ClusterRoleBinding metrics-server:system:auth-delegator',
    'ClusterRoleBinding system:metrics-server',
    'Service metrics-server',
    'Deployment metrics-server',
    'APIService v1beta1.metrics.k8s.io',
  ]);
});
