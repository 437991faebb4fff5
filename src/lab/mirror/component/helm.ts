import { program, sidecar, type Component } from '../component.ts';
import type { Arch } from '../build-context.ts';

export function helm(version: string, arch: Arch): Component {
  const module = 'helm.sh/helm/v3';
  const url = `get.helm.sh/helm-${version}-linux-${arch}.tar.gz`;
  return {
    name: 'helm',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { [module]: version },
          programs: { helm: `${module}/cmd/helm` },
          variables: { [`${module}/internal/version.version`]: version },
        },
      ],
    },
    files: [
      {
        url,
        content: { type: 'archive', entries: [program(`linux-${arch}/helm`, 'helm')] },
        sums: sidecar(url, '.sha256', 'bare'),
      },
    ],
    images: [],
  };
}
