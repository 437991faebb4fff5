import { expect, test } from 'vitest';
import { componentsFor, DEFAULT_VERSIONS } from '../../../../src/lab/mirror/catalog.ts';
import { archHere } from '../../../../src/lab/mirror/making.ts';

const ids = (versions: readonly string[], components: readonly string[] = []) =>
  componentsFor({ versions, components }).map(({ name, version }) => `${name} ${version}`);

test('each version of Kubernetes brings what its kubeadm asks for', () => {
  const all = componentsFor({ versions: DEFAULT_VERSIONS, components: [] });
  const images = all.flatMap((one) => one.images).flatMap(({ names }) => names);
  expect(images).toEqual(
    expect.arrayContaining([
      'registry.k8s.io/kube-proxy:v1.34.4',
      'registry.k8s.io/kube-apiserver:v1.36.3',
      'registry.k8s.io/coredns/coredns:v1.12.1',
      'registry.k8s.io/coredns/coredns:v1.14.2',
      'registry.k8s.io/pause:3.10.1',
      'registry.k8s.io/pause:3.10.2',
      'registry.k8s.io/etcd:3.6.5-0',
      'registry.k8s.io/etcd:3.6.8-0',
    ]),
  );
  expect(new Set(images).size).toBe(images.length);
});

test('files are where their publishers have them, with the sums they offer', () => {
  const files = componentsFor({ versions: ['v1.36.3'], components: [] }).flatMap((one) => one.files);
  const sumsOf = (url: string) => files.find((file) => file.url === url)?.sums;
  expect(sumsOf(`dl.k8s.io/release/v1.36.3/bin/linux/${archHere()}/kubelet`)).toEqual({
    url: `dl.k8s.io/release/v1.36.3/bin/linux/${archHere()}/kubelet.sha256`,
    style: 'bare',
  });
  const etcd = 'github.com/etcd-io/etcd/releases/download/v3.6.16';
  expect(sumsOf(`${etcd}/etcd-v3.6.16-linux-${archHere()}.tar.gz`)).toEqual({
    url: `${etcd}/SHA256SUMS`,
    style: 'named',
  });
  const runc = 'github.com/opencontainers/runc/releases/download/v1.1.5';
  expect(sumsOf(`${runc}/runc.${archHere()}`)).toEqual({ url: `${runc}/runc.sha256sum`, style: 'named' });
});

test('what stands on the userland brings it along, first', () => {
  expect(ids(['1.36.3'], ['kubernetes'])).toEqual(['userland bookworm', 'kubernetes v1.36.3']);
  expect(ids(['1.36.3'], ['etcd'])).toEqual(['etcd v3.6.16']);
  expect(ids(['1.33.13'], ['etcd'])).toEqual(['etcd v3.5.35']);
});

test('what no cluster needs is built when it is named', () => {
  expect(ids(['1.36.3']).join()).not.toMatch(/e2e|agnhost|metrics-server|local-path/);
  expect(ids(['1.35.4', '1.36.3'], ['agnhost', 'e2e', 'metrics-server', 'local-path-provisioner'])).toEqual([
    'userland bookworm',
    'local-path-provisioner v0.0.30',
    'metrics-server v0.9.0',
    'agnhost 2.63.0',
    'e2e v1.35.4',
    'e2e v1.36.3',
  ]);
});

test('tests of Kubernetes find their images under the tags they ask for', () => {
  const all = componentsFor({ versions: DEFAULT_VERSIONS, components: ['agnhost', 'busybox', 'nginx', 'e2e'] });
  const images = all.flatMap((one) => one.images).flatMap(({ names }) => names);
  const wanted = ['agnhost:2.56', 'agnhost:2.59', 'agnhost:2.63.0', 'agnhost:2.55', 'busybox:1.37.0-1', 'nginx:1.27-0'];
  expect(images).toEqual(expect.arrayContaining(wanted.map((name) => `registry.k8s.io/e2e-test-images/${name}`)));
  const tests = `dl.k8s.io/release/v1.36.3/kubernetes-test-linux-${archHere()}.tar.gz`;
  expect(all.flatMap((one) => one.files).map(({ url }) => url)).toContain(tests);
});

test('versions that are built one after the other share what is no version of their own', () => {
  const shared = (version: string) =>
    componentsFor({ versions: [version], components: ['pause', 'etcd', 'containerd', 'haproxy'] });
  expect(shared('1.34.4')).toEqual(shared('1.36.3'));
});

test.each([
  [{ versions: ['1.2.3'], components: [] }, 'LAB_OPTION_INVALID'],
  [{ versions: ['latest'], components: [] }, 'LAB_OPTION_INVALID'],
  [{ versions: ['1.36.3'], components: ['calico'] }, 'LAB_COMPONENT_UNKNOWN'],
])('%j is refused', (wish, code) => {
  expect(() => componentsFor(wish)).toThrow(expect.objectContaining({ code }));
});
