import type { Cluster } from './cluster.ts';

/** The CRI endpoint of the container runtime. */
export function criSocket({ kubernetes: { containerRuntime } }: Pick<Cluster, 'kubernetes'>): string {
  switch (containerRuntime.type) {
    case 'containerd':
      return 'unix:///run/containerd/containerd.sock';
    case 'docker':
      return 'unix:///run/cri-dockerd.sock';
    case 'cri-o':
      return 'unix:///var/run/crio/crio.sock';
    case 'isulad':
      return 'unix:///var/run/isulad.sock';
  }
}
