import type { Cluster } from '../../config/model/cluster.ts';
import { github, listedIn, type Component } from './component.ts';
import { componentVersions } from './versions.ts';

/** Returns the etcd release for a systemd service, or the image that kubeadm runs. */
export function etcd({ etcd, kubernetes }: Cluster): readonly Component[] {
  const imageTag = componentVersions(kubernetes.version).etcd;
  switch (etcd.type) {
    case 'kubexm':
      return [
        {
          name: 'etcd',
          // Only the image tag has a build number.
          version: etcd.version ?? imageTag.replace(/-\d+$/, ''),
          roles: ['etcd'],
          folder: 'etcd',
          files: [
            {
              name: 'etcd',
              url: ({ tag, arch }) => github('etcd-io/etcd', `${tag}/etcd-${tag}-linux-${arch}.tar.gz`),
              checksum: listedIn('SHA256SUMS'),
              format: 'gzip',
            },
          ],
        },
      ];
    case 'kubeadm':
      return [
        {
          name: 'etcd',
          version: etcd.version === undefined ? imageTag : etcd.version.replace(/^([^-]+)$/, '$1-0'),
          roles: ['master'],
          folder: 'etcd',
          images: [{ name: 'etcd', ref: ({ version }) => `registry.k8s.io/etcd:${version}` }],
        },
      ];
    case 'external':
      return [];
  }
}
