import { program, sidecar, type Component } from '../component.ts';
import { CRICTL_SOURCES } from '../go/crictl.ts';
import type { Arch } from '../build-context.ts';

/** A reimplementation of crictl with the same flags and output, because the original is not available as a Go module. */
export function crictl(version: string, arch: Arch): Component {
  const url = `github.com/kubernetes-sigs/cri-tools/releases/download/${version}/crictl-${version}-linux-${arch}.tar.gz`;
  return {
    name: 'crictl',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { 'k8s.io/cri-api': 'v0.36.3', 'sigs.k8s.io/yaml': 'v1.6.0' },
          sources: CRICTL_SOURCES,
          programs: { crictl: '.' },
          variables: { 'main.version': version },
        },
      ],
    },
    files: [
      {
        url,
        content: { type: 'archive', entries: [program('crictl', 'crictl')] },
        sums: sidecar(url, '.sha256', 'bare'),
      },
    ],
    images: [],
  };
}
