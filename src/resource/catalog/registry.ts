import type { Cluster } from '../../config/model/cluster.ts';
import { beside, github, type Component } from './component.ts';
import { docker } from './runtime.ts';

/** The image registry that we install, if we do. */
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
      url: ({ v, n, a }) => github('distribution/distribution', `${v}/registry_${n}_linux_${a}.tar.gz`),
      sum: beside('.sha256'),
      content: 'gzip',
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
      url: ({ v }) => github('goharbor/harbor', `${v}/harbor-offline-installer-${v}.tgz`),
      content: 'gzip',
      anyArch: true,
    },
  ],
  note: 'Harbor up to 2.15 has images for amd64 only.',
});

const compose: Component = {
  name: 'docker-compose',
  version: '5.5.0',
  roles: ['registry'],
  folder: 'registry/docker-compose',
  files: [
    {
      name: 'docker-compose',
      url: ({ v, A }) => github('docker/compose', `${v}/docker-compose-linux-${A}`),
      sum: beside('.sha256'),
      content: 'elf',
    },
  ],
};
