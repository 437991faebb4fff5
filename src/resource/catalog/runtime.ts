import type { Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { among, beside, github, NODES, type Component } from './component.ts';
import { companionsOf } from './versions.ts';

/** The container runtime, the tools around it, and the image that every pod begins with. */
export const runtime = (cluster: Cluster): readonly Component[] => [
  ...programs(cluster),
  pause(companionsOf(cluster.kubernetes.version).pause),
];

function programs({ kubernetes }: Cluster): readonly Component[] {
  const { type, version, from } = kubernetes.containerRuntime;
  const companions = companionsOf(kubernetes.version);
  const tools = [cniPlugins(companions.cniPlugins), crictl(companions.crictl)];
  switch (type) {
    case 'containerd':
      return [containerd(version ?? companions.containerd), runc, ...tools];
    case 'docker':
      return [...(from === 'packages' ? [] : [docker(NODES, version)]), criDockerd, ...tools];
    case 'cri-o':
      // Its bundle has conmon, runc, crictl and the CNI plugins.
      return from === 'packages' ? tools : [crio(version ?? companions.crio)];
    case 'isulad':
      return tools.map((tool, at) =>
        at === 0
          ? { ...tool, note: 'iSulad has no release files: it comes from the package repositories of its hosts.' }
          : tool,
      );
  }
}

const pause = (version: string): Component => ({
  name: 'pause',
  version,
  roles: NODES,
  folder: 'container_runtime/pause',
  images: [{ name: 'pause', ref: ({ n }) => `registry.k8s.io/pause:${n}` }],
});

const containerd = (version: string): Component => ({
  name: 'containerd',
  version,
  roles: NODES,
  folder: 'container_runtime/containerd',
  files: [
    {
      name: 'containerd',
      url: ({ n, a }) => github('containerd/containerd', `v${n}/containerd-${n}-linux-${a}.tar.gz`),
      sum: beside('.sha256sum'),
      content: 'gzip',
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
      url: ({ v, a }) => github('opencontainers/runc', `${v}/runc.${a}`),
      sum: among('runc.sha256sum'),
      content: 'elf',
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
      url: ({ v, a }) => github('containernetworking/plugins', `${v}/cni-plugins-linux-${a}-${v}.tgz`),
      sum: beside('.sha256'),
      content: 'gzip',
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
      url: ({ v, a }) => github('kubernetes-sigs/cri-tools', `${v}/crictl-${v}-linux-${a}.tar.gz`),
      sum: beside('.sha256'),
      content: 'gzip',
    },
  ],
});

/** Its publisher tells no sums. */
export const docker = (roles: readonly Role[], version = '28.5.2'): Component => ({
  name: 'docker',
  version,
  roles,
  folder: 'container_runtime/docker',
  files: [
    {
      name: 'docker',
      url: ({ n, A }) => `https://download.docker.com/linux/static/stable/${A}/docker-${n}.tgz`,
      content: 'gzip',
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
      url: ({ v, n, a }) => github('Mirantis/cri-dockerd', `${v}/cri-dockerd-${n}.${a}.tgz`),
      content: 'gzip',
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
      url: ({ v, a }) => `https://storage.googleapis.com/cri-o/artifacts/cri-o.${a}.${v}.tar.gz`,
      sum: beside('.sha256sum'),
      content: 'gzip',
    },
  ],
});
