import { program, sidecar, type Component } from '../component.ts';
import type { Arch } from '../build-context.ts';
import { kubernetesBuild } from './kubernetes.ts';

/** The Kubernetes e2e tests and ginkgo, packaged as upstream does. */
export function e2e(version: string, arch: Arch): Component {
  const url = `dl.k8s.io/release/${version}/kubernetes-test-linux-${arch}.tar.gz`;
  return {
    name: 'e2e',
    version,
    source: {
      type: 'go',
      builds: [
        {
          ...kubernetesBuild(version),
          programs: { ginkgo: 'github.com/onsi/ginkgo/v2/ginkgo' },
          tests: { 'e2e.test': 'k8s.io/kubernetes/test/e2e' },
        },
      ],
    },
    files: [
      {
        url,
        content: {
          type: 'archive',
          entries: ['e2e.test', 'ginkgo'].map((name) => program(`kubernetes/test/bin/${name}`, name)),
        },
        sums: sidecar(url, '.sha256', 'bare'),
      },
    ],
    images: [],
  };
}
