import type { Cluster } from '../../config/model/cluster.ts';
import { github, withSuffix, type Component } from './component.ts';
import { docker } from './runtime.ts';

/** Returns the image registry that kubexm installs, if any. */
export function registry({ registry }: Cluster): readonly Component[] {
  switch (registry.type) {
    case 'registry':
      return [distribution(registry.version)];
    case 'harbor':
      return [harbor(registry.version), docker(['registry']), compose];
    case 'external':
    case 'none':
      return [];
  }
}

const distribution = (version = '3.1.2'): Component => ({
  name: 'registry',
  version,
  roles: ['registry'],
  folder: 'registry/registry',
  files: [
    {
      name: 'registry',
      url: ({ tag, version, arch }) =>
        github('distribution/distribution', `${tag}/registry_${version}_linux_${arch}.tar.gz`),
      checksum: withSuffix('.sha256'),
      format: 'gzip',
    },
  ],
});

const harbor = (version = '2.15.2'): Component => ({
  name: 'harbor',
  version,
  roles: ['registry'],
  folder: 'registry/harbor',
  files: [
    {
      name: 'harbor',
      url: ({ tag }) => github('goharbor/harbor', `${tag}/harbor-offline-installer-${tag}.tgz`),
      format: 'gzip',
      anyArch: true,
    },
  ],
  note: 'Harbor up to 2.15 supports amd64 only.',
});

const compose: Component = {
  name: 'docker-compose',
  version: '5.5.0',
  roles: ['registry'],
  folder: 'registry/docker-compose',
  files: [
    {
      name: 'docker-compose',
      url: ({ tag, machine }) => github('docker/compose', `${tag}/docker-compose-linux-${machine}`),
      checksum: withSuffix('.sha256'),
      format: 'elf',
    },
  ],
};
