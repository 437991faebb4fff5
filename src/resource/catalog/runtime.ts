import type { Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { github, listedIn, NODES, withSuffix, type Component } from './component.ts';
import { componentVersions } from './versions.ts';

/** Returns the container runtime, its tools and the pause image. */
export const runtime = (cluster: Cluster): readonly Component[] => [
  ...binaries(cluster),
  pause(componentVersions(cluster.kubernetes.version).pause),
];

function binaries({ kubernetes }: Cluster): readonly Component[] {
  const { type, version, from } = kubernetes.containerRuntime;
  const defaults = componentVersions(kubernetes.version);
  const tools = [cniPlugins(defaults.cniPlugins), crictl(defaults.crictl)];
  switch (type) {
    case 'containerd':
      return [containerd(version ?? defaults.containerd), runc, ...tools];
    case 'docker':
      return [...(from === 'packages' ? [] : [docker(NODES, version)]), criDockerd, ...tools];
    case 'cri-o':
      // The CRI-O bundle includes conmon, runc, crictl and the CNI plugins.
      return from === 'packages' ? tools : [crio(version ?? defaults.crio)];
    case 'isulad':
      return tools.map((tool, at) =>
        at === 0
          ? { ...tool, note: 'iSulad is not downloaded; hosts install it from their package repositories.' }
          : tool,
      );
  }
}

const pause = (version: string): Component => ({
  name: 'pause',
  version,
  roles: NODES,
  folder: 'container_runtime/pause',
  images: [{ name: 'pause', ref: ({ version }) => `registry.k8s.io/pause:${version}` }],
});

const containerd = (version: string): Component => ({
  name: 'containerd',
  version,
  roles: NODES,
  folder: 'container_runtime/containerd',
  files: [
    {
      name: 'containerd',
      url: ({ version, arch }) =>
        github('containerd/containerd', `v${version}/containerd-${version}-linux-${arch}.tar.gz`),
      checksum: withSuffix('.sha256sum'),
      format: 'gzip',
    },
  ],
});

const runc: Component = {
  name: 'runc',
  version: '1.4.3',
  roles: NODES,
  folder: 'container_runtime/runc',
  files: [
    {
      name: 'runc',
      url: ({ tag, arch }) => github('opencontainers/runc', `${tag}/runc.${arch}`),
      checksum: listedIn('runc.sha256sum'),
      format: 'elf',
    },
  ],
};

const cniPlugins = (version: string): Component => ({
  name: 'cni-plugins',
  version,
  roles: NODES,
  folder: 'container_runtime/cni-plugins',
  files: [
    {
      name: 'cni-plugins',
      url: ({ tag, arch }) => github('containernetworking/plugins', `${tag}/cni-plugins-linux-${arch}-${tag}.tgz`),
      checksum: withSuffix('.sha256'),
      format: 'gzip',
    },
  ],
});

const crictl = (version: string): Component => ({
  name: 'crictl',
  version,
  roles: NODES,
  folder: 'container_runtime/crictl',
  files: [
    {
      name: 'crictl',
      url: ({ tag, arch }) => github('kubernetes-sigs/cri-tools', `${tag}/crictl-${tag}-linux-${arch}.tar.gz`),
      checksum: withSuffix('.sha256'),
      format: 'gzip',
    },
  ],
});

/** Returns Docker, which publishes no checksums. */
export const docker = (roles: readonly Role[], version = '28.5.2'): Component => ({
  name: 'docker',
  version,
  roles,
  folder: 'container_runtime/docker',
  files: [
    {
      name: 'docker',
      url: ({ version, machine }) => `https://download.docker.com/linux/static/stable/${machine}/docker-${version}.tgz`,
      format: 'gzip',
    },
  ],
});

const criDockerd: Component = {
  name: 'cri-dockerd',
  version: '0.4.3',
  roles: NODES,
  folder: 'container_runtime/cri-dockerd',
  files: [
    {
      name: 'cri-dockerd',
      url: ({ tag, version, arch }) => github('Mirantis/cri-dockerd', `${tag}/cri-dockerd-${version}.${arch}.tgz`),
      format: 'gzip',
    },
  ],
};

const crio = (version: string): Component => ({
  name: 'cri-o',
  version,
  roles: NODES,
  folder: 'container_runtime/cri-o',
  files: [
    {
      name: 'cri-o',
      url: ({ tag, arch }) => `https://storage.googleapis.com/cri-o/artifacts/cri-o.${arch}.${tag}.tar.gz`,
      checksum: withSuffix('.sha256sum'),
      format: 'gzip',
    },
  ],
});
