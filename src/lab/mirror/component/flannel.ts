import { program, type Component } from '../component.ts';

/** flannel, its CNI plugin and its manifest. */
export function flannel(version: string): Component {
  const module = 'github.com/flannel-io/flannel';
  const plugins = 'github.com/containernetworking/plugins';
  return {
    name: 'flannel',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { [module]: version },
          programs: { flanneld: module },
          cgo: true,
          variables: { [`${module}/pkg/version.Version`]: version },
          carried: { 'kube-flannel.yml': { module, path: 'Documentation/kube-flannel.yml' } },
        },
        { require: { [plugins]: 'v0.9.1' }, programs: { flannel: `${plugins}/plugins/meta/flannel` } },
      ],
    },
    files: [
      {
        url: `${module}/releases/download/${version}/kube-flannel.yml`,
        content: { type: 'piece', piece: 'kube-flannel.yml' },
      },
    ],
    images: [
      {
        names: [`ghcr.io/flannel-io/flannel:${version}`],
        layers: [{ type: 'userland' }, { type: 'entries', entries: [program('opt/bin/flanneld', 'flanneld')] }],
        config: { entrypoint: ['/opt/bin/flanneld'] },
      },
      {
        names: ['ghcr.io/flannel-io/flannel-cni-plugin:v1.6.2-flannel1'],
        layers: [{ type: 'userland' }, { type: 'entries', entries: [program('flannel', 'flannel')] }],
        config: {},
      },
    ],
  };
}
