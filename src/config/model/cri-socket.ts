import type { Cluster } from './cluster.ts';

/** Where the container runtime of a node answers the kubelet. */
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
