import type { Cluster } from '../../config/model/cluster.ts';
import { among, github, type Component } from './component.ts';
import { companionsOf } from './versions.ts';

/** etcd as a service of its own, or as the image that kubeadm runs. */
export function etcd({ etcd, kubernetes }: Cluster): readonly Component[] {
  const tag = companionsOf(kubernetes.version).etcd;
  switch (etcd.type) {
    case 'kubexm':
      return [
        {
          name: 'etcd',
          // The image has a build number that the release does not.
          version: etcd.version ?? tag.replace(/-\d+$/, ''),
          roles: ['etcd'],
          folder: 'etcd',
          files: [
            {
              name: 'etcd',
              url: ({ v, a }) => github('etcd-io/etcd', `${v}/etcd-${v}-linux-${a}.tar.gz`),
              sum: among('SHA256SUMS'),
              content: 'gzip',
            },
          ],
        },
      ];
    case 'kubeadm':
      return [
        {
          name: 'etcd',
          version: etcd.version === undefined ? tag : etcd.version.replace(/^([^-]+)$/, '$1-0'),
          roles: ['master'],
          folder: 'etcd',
          images: [{ name: 'etcd', ref: ({ n }) => `registry.k8s.io/etcd:${n}` }],
        },
      ];
    case 'external':
      return [];
  }
}
