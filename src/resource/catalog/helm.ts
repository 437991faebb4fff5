import { withSuffix, type Component } from './component.ts';

/** Returns Helm if any component is a chart. */
export const helm = (components: readonly Component[]): readonly Component[] =>
  components.some(
    ({ installedByHelm, files = [] }) => installedByHelm ?? files.some(({ name }) => name.endsWith('-chart')),
  )
    ? [helmComponent]
    : [];

const helmComponent: Component = {
  name: 'helm',
  version: '3.22.0',
  roles: ['master'],
  folder: 'helm',
  files: [
    {
      name: 'helm',
      url: ({ tag, arch }) => `https://get.helm.sh/helm-${tag}-linux-${arch}.tar.gz`,
      checksum: withSuffix('.sha256'),
      format: 'gzip',
    },
  ],
};
