import type { Cluster } from '../../config/model/cluster.ts';
import { image, type Component } from './component.ts';

/**
 * Returns the internal load balancer if it runs as a Pod. A load balancer service is installed from system packages.
 */
export function loadBalancer({ endpoint: { internal }, kubernetes }: Cluster): readonly Component[] {
  const asPod = kubernetes.type === 'kubeadm';
  const folder = 'loadbalancer';
  switch (internal.type) {
    case 'haproxy':
      return asPod
        ? [{ name: 'haproxy', version: '3.2.19', roles: ['worker'], folder, images: [alpine('haproxy')] }]
        : [];
    case 'nginx':
      return asPod ? [{ name: 'nginx', version: '1.30.1', roles: ['worker'], folder, images: [alpine('nginx')] }] : [];
    case 'kube-vip':
      return [
        {
          name: 'kube-vip',
          version: '1.2.3',
          roles: ['master'],
          folder,
          images: [image('kube-vip', 'ghcr.io/kube-vip/kube-vip')],
        },
      ];
    case 'none':
      return [];
  }
}

const alpine = (name: string) => ({
  name,
  ref: ({ version }: { readonly version: string }) => `docker.io/library/${name}:${version}-alpine`,
});
