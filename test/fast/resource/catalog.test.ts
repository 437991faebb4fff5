import fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogOf, type Arches } from '../../../src/resource/catalog/cluster-artifacts.ts';
import type { Catalog } from '../../../src/resource/item.ts';
import type { Arch } from '../../../src/common/host.ts';
import type { Cluster } from '../../../src/config/model/cluster.ts';
import { kubernetesReleases } from '../../../src/config/data/kubernetes-releases.ts';
import { loadCluster } from '../../../src/config/load/load.ts';

const all = ({ hosts }: Cluster, arch: Arch = 'amd64'): Arches => new Map(hosts.map(({ name }) => [name, arch]));
const load = (overrides: readonly string[] = [], file = 'ha-haproxy') =>
  loadCluster(`examples/${file}.yaml`, { overrides });
const catalog = async (overrides: readonly string[] = [], file?: string) => {
  const cluster = await load(overrides, file);
  return catalogOf(cluster, all(cluster));
};
const found = ({ files, images }: Catalog, name: string) => [...files, ...images].find((item) => item.name === name);

describe('catalog of an example', () => {
  it.each(readdirSync('examples').filter((name) => name.endsWith('.yaml')))('%s', async (name) => {
    const { files, images, warnings } = await catalog([], name.replace('.yaml', ''));
    const lines = [
      ...files.map(
        (file) =>
          `${file.name} ${file.version} ${file.arch ?? 'any'} [${file.roles.join()}] ${file.url}\n    checksum ${file.checksumUrl ?? 'none'}\n    at ${file.path}`,
      ),
      ...images.map(
        (image) => `${image.name} ${image.version} ${image.arches.join()} [${image.roles.join()}] ${image.ref}`,
      ),
      ...warnings.map((warning) => `! ${warning}`),
    ];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
      `../../golden/artifacts/${name.replace('.yaml', '.txt')}`,
    );
  });
});

describe('architectures', () => {
  it('include only those of hosts that need the file', async () => {
    const cluster = await load();
    const arches: Arches = new Map([...all(cluster), ['node4', 'arm64']]);
    const { files, images } = catalogOf(cluster, arches);
    const of = (name: string) => files.filter((file) => file.name === name).map(({ arch }) => arch);
    expect(of('kubelet')).toEqual(['amd64', 'arm64']);
    expect(of('etcd')).toEqual(['amd64']);
    expect(of('calico-manifest')).toEqual([undefined]);
    const archesOf = (name: string) => images.find((image) => image.name === name)?.arches;
    expect(archesOf('pause')).toEqual(['amd64', 'arm64']);
    expect(archesOf('kube-apiserver')).toEqual(['amd64']);
  });

  it('are spelled as each publisher does', async () => {
    const cluster = await load(['kubernetes.containerRuntime.type=docker']);
    const { files } = catalogOf(cluster, all(cluster, 'arm64'));
    expect(files.find(({ name }) => name === 'docker')?.url).toContain('/aarch64/docker-');
    expect(files.find(({ name }) => name === 'runc')).toBeUndefined();
  });
});

describe('selected components', () => {
  it.each([
    ['kubernetes.containerRuntime.type=cri-o', ['cri-o'], ['runc', 'containerd', 'crictl', 'cni-plugins']],
    ['kubernetes.containerRuntime.type=isulad', ['crictl', 'cni-plugins'], ['runc', 'containerd']],
    ['kubernetes.containerRuntime.type=docker', ['docker', 'cri-dockerd', 'crictl'], ['runc', 'containerd']],
    ['kubernetes.type=kubexm', ['kube-apiserver', 'kube-proxy', 'coredns'], ['kubeadm', 'haproxy']],
    ['network.plugin=none', ['kubelet'], ['calico-manifest', 'calico-node', 'helm']],
    ['network.plugin=flannel', ['flannel-manifest', 'flannel-cni-plugin'], ['calico-manifest', 'helm']],
    ['storage.localPath=true', ['local-path', 'local-path-manifest'], ['longhorn-chart']],
    ['kubernetes.nodelocaldns=true', ['nodelocaldns'], []],
    ['etcd.type=kubeadm', ['etcd'], []],
    ['network.multus=true', ['multus', 'multus-manifest'], []],
    // Only what some step installs.
    ['network.plugin=calico', ['calico-manifest', 'calico-node', 'calico-kube-controllers'], ['calicoctl']],
  ])('%s', async (override, included, excluded) => {
    const items = await catalog([override]);
    expect(included.filter((name) => !found(items, name))).toEqual([]);
    expect(excluded.filter((name) => found(items, name))).toEqual([]);
  });

  it('use the etcd image with kubeadm and the etcd release otherwise', async () => {
    expect(found(await catalog(['etcd.type=kubeadm']), 'etcd')).toMatchObject({ ref: 'registry.k8s.io/etcd:3.6.6-0' });
    expect(found(await catalog(), 'etcd')).toMatchObject({ version: '3.6.6', format: 'gzip' });
  });
});

describe('overrides', () => {
  it('replace version, URL and checksum', async () => {
    const sha256 = 'a'.repeat(64);
    const items = await catalog([
      'artifacts.overrides.runc.version=v1.3.0',
      `artifacts.overrides.kubelet={url: "https://files.example.com/{version}/{arch}/kubelet", sha256: ${sha256}}`,
    ]);
    expect(found(items, 'runc')).toMatchObject({
      url: 'https://github.com/opencontainers/runc/releases/download/v1.3.0/runc.amd64',
    });
    expect(found(items, 'kubelet')).toMatchObject({
      url: 'https://files.example.com/1.35.8/amd64/kubelet',
      checksumUrl: undefined,
      sha256,
    });
  });

  it.each([
    ['containerd.version=1.6.0', 'artifacts.overrides.containerd.version 1.6.0 is older than'],
    ['etcd.version=3.4.0', 'is older than 3.5.24'],
    ['calico.version=3.28.0', 'was tested up to Kubernetes 1.30'],
    ['kubelet.version=1.33.0', 'does not have the same minor version as Kubernetes 1.35.8'],
    ['calico-manifest.version=3.30.0', 'calico-manifest.version is ignored'],
    ['kubelet/arm64.version=1.35.0', 'kubelet/arm64.version is ignored'],
    ['pause.url=https://example.com/pause', 'pause.url is ignored for images'],
    ['kubelt.version=1.35.0', 'does not match any artifact of this cluster. Did you mean kubelet?'],
  ])('%s causes a warning', async (override, warning) => {
    expect((await catalog([`artifacts.overrides.${override}`])).warnings.join('\n')).toContain(warning);
  });
});

it('is complete for any patch release of a known minor', async () => {
  const cluster = await load();
  const release = fc.constantFrom(...kubernetesReleases);
  fc.assert(
    fc.property(release, fc.nat(40), fc.constantFrom('kubeadm', 'kubexm'), ({ minor }, patch, type) => {
      const version = `1.${minor}.${patch}`;
      const { files, images } = catalogOf(
        { ...cluster, kubernetes: { ...cluster.kubernetes, version, type } },
        all(cluster),
      );
      const paths = files.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      expect(files.every(({ url }) => URL.canParse(url) && !url.includes('undefined'))).toBe(true);
      expect(images.map(({ name }) => name)).toEqual(expect.arrayContaining(['pause', 'coredns']));
    }),
  );
});
