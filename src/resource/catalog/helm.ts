import { beside, type Component } from './component.ts';

/** helm, wherever one of the components is a chart. */
export const helm = (components: readonly Component[]): readonly Component[] =>
  components.some(({ byHelm, files = [] }) => byHelm ?? files.some(({ name }) => name.endsWith('-chart')))
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
      url: ({ v, a }) => `https://get.helm.sh/helm-${v}-linux-${a}.tar.gz`,
      sum: beside('.sha256'),
      content: 'gzip',
    },
  ],
};
