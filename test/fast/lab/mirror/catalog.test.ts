import { expect, test } from 'vitest';
import { componentsFor, DEFAULT_VERSIONS } from '../../../../src/lab/mirror/catalog.ts';
import { localArch } from '../../../../src/lab/mirror/build-context.ts';

const ids = (versions: readonly string[], components: readonly string[] = []) =>
  componentsFor({ versions, components }).map(({ name, version }) => `${name} ${version}`);

test('each Kubernetes version includes the images that its kubeadm pulls', () => {
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

test('files have their upstream URLs and checksum files', () => {
  const files = componentsFor({ versions: ['v1.36.3'], components: [] }).flatMap((one) => one.files);
  const checksumFileOf = (url: string) => files.find((file) => file.url === url)?.sums;
  expect(checksumFileOf(`dl.k8s.io/release/v1.36.3/bin/linux/${localArch()}/kubelet`)).toEqual({
    url: `dl.k8s.io/release/v1.36.3/bin/linux/${localArch()}/kubelet.sha256`,
    style: 'bare',
  });
  const etcd = 'github.com/etcd-io/etcd/releases/download/v3.6.16';
  expect(checksumFileOf(`${etcd}/etcd-v3.6.16-linux-${localArch()}.tar.gz`)).toEqual({
    url: `${etcd}/SHA256SUMS`,
    style: 'named',
  });
  const runc = 'github.com/opencontainers/runc/releases/download/v1.1.5';
  expect(checksumFileOf(`${runc}/runc.${localArch()}`)).toEqual({ url: `${runc}/runc.sha256sum`, style: 'named' });
});

test('components on top of the userland layer include it as the first component', () => {
  expect(ids(['1.36.3'], ['kubernetes'])).toEqual(['userland bookworm', 'kubernetes v1.36.3']);
  expect(ids(['1.36.3'], ['etcd'])).toEqual(['etcd v3.6.16']);
  expect(ids(['1.33.13'], ['etcd'])).toEqual(['etcd v3.5.35']);
});

test('components that few clusters need are built only if named', () => {
  expect(ids(['1.36.3']).join()).not.toMatch(/e2e|agnhost|metrics-server|local-path|calico/);
  expect(ids(['1.35.4', '1.36.3'], ['agnhost', 'e2e', 'metrics-server', 'local-path-provisioner'])).toEqual([
    'userland bookworm',
    'local-path-provisioner v0.0.30',
    'metrics-server v0.9.0',
    'agnhost 2.63.0',
    'e2e v1.35.4',
    'e2e v1.36.3',
  ]);
});

test('images of the Kubernetes e2e tests have the tags that the tests use', () => {
  const all = componentsFor({ versions: DEFAULT_VERSIONS, components: ['agnhost', 'busybox', 'nginx', 'e2e'] });
  const images = all.flatMap((one) => one.images).flatMap(({ names }) => names);
  const wanted = ['agnhost:2.56', 'agnhost:2.59', 'agnhost:2.63.0', 'agnhost:2.55', 'busybox:1.37.0-1', 'nginx:1.27-0'];
  expect(images).toEqual(expect.arrayContaining(wanted.map((name) => `registry.k8s.io/e2e-test-images/${name}`)));
  const tests = `dl.k8s.io/release/v1.36.3/kubernetes-test-linux-${localArch()}.tar.gz`;
  expect(all.flatMap((one) => one.files).map(({ url }) => url)).toContain(tests);
});

test('Calico has the manifest and the images that its manifest names', () => {
  const [, calico] = componentsFor({ versions: ['1.36.3'], components: ['calico'] });
  expect(calico?.files.map(({ url }) => url)).toEqual([
    'github.com/projectcalico/calico/raw/v3.31.0/manifests/calico.yaml',
  ]);
  expect(calico?.images.flatMap(({ names }) => names)).toEqual([
    'quay.io/calico/node:v3.31.0',
    'quay.io/calico/cni:v3.31.0',
    'quay.io/calico/kube-controllers:v3.31.0',
  ]);
});

test('Kubernetes versions share version-independent components', () => {
  const shared = (version: string) =>
    componentsFor({ versions: [version], components: ['pause', 'etcd', 'containerd', 'haproxy'] });
  expect(shared('1.34.4')).toEqual(shared('1.36.3'));
});

test.each([
  [{ versions: ['1.2.3'], components: [] }, 'LAB_OPTION_INVALID'],
  [{ versions: ['latest'], components: [] }, 'LAB_OPTION_INVALID'],
  [{ versions: ['1.36.3'], components: ['weave'] }, 'LAB_COMPONENT_UNKNOWN'],
])('rejects %j', (selection, code) => {
  expect(() => componentsFor(selection)).toThrow(expect.objectContaining({ code }));
});
