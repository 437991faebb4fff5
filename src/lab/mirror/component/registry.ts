import { program, sidecar, type Component } from '../component.ts';
import type { Arch } from '../build-context.ts';

/** The registry of the CNCF Distribution project. */
export function registry(version: string, arch: Arch): Component {
  const module = 'github.com/distribution/distribution';
  const url = `${module}/releases/download/${version}/registry_${version.slice(1)}_linux_${arch}.tar.gz`;
  return {
    name: 'registry',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { [`${module}/v3`]: version },
          programs: { registry: `${module}/v3/cmd/registry` },
          variables: { [`${module}/v3/version.version`]: version },
        },
      ],
    },
    files: [
      {
        url,
        content: { type: 'archive', entries: [program('registry', 'registry')] },
        sums: sidecar(url, '.sha256', 'bare'),
      },
    ],
    images: [],
  };
}
