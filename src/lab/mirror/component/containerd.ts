import { program, sidecar, type Component } from '../component.ts';
import type { Arch } from '../build-context.ts';

/** containerd, ctr and the runc shim. */
export function containerd(version: string, arch: Arch): Component {
  const module = 'github.com/containerd/containerd/v2';
  const names = ['containerd', 'ctr', 'containerd-shim-runc-v2'];
  const file = `containerd-${version.slice(1)}-linux-${arch}.tar.gz`;
  const url = `github.com/containerd/containerd/releases/download/${version}/${file}`;
  return {
    name: 'containerd',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { [module]: version },
          programs: Object.fromEntries(names.map((name) => [name, `${module}/cmd/${name}`])),
          tags: ['no_btrfs', 'no_devmapper', 'no_zfs'],
          variables: { [`${module}/version.Version`]: version, [`${module}/version.Package`]: module },
        },
      ],
    },
    files: [
      {
        url,
        content: { type: 'archive', entries: names.map((name) => program(`bin/${name}`, name)) },
        sums: sidecar(url, '.sha256sum', 'named'),
      },
    ],
    images: [],
  };
}
