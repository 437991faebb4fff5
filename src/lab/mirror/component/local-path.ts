import { program, type Component } from '../component.ts';

/** local-path-provisioner, which provisions volumes from node directories, and its manifest. */
export function localPath(version: string): Component {
  const module = 'github.com/rancher/local-path-provisioner';
  return {
    name: 'local-path-provisioner',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { [module]: version },
          programs: { 'local-path-provisioner': module },
          variables: { 'main.VERSION': version },
          carried: { 'local-path-storage.yaml': { module, path: 'deploy/local-path-storage.yaml' } },
        },
      ],
    },
    files: [
      {
        url: `raw.githubusercontent.com/rancher/local-path-provisioner/${version}/deploy/local-path-storage.yaml`,
        content: { type: 'piece', piece: 'local-path-storage.yaml' },
      },
    ],
    images: [
      {
        names: [`docker.io/rancher/local-path-provisioner:${version}`],
        layers: [
          {
            type: 'entries',
            entries: [program('usr/bin/local-path-provisioner', 'local-path-provisioner')],
          },
        ],
        config: { command: ['local-path-provisioner'] },
      },
    ],
  };
}
