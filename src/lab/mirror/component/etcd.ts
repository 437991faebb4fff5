import { program, type Component } from '../component.ts';
import type { Arch } from '../build-context.ts';

/** etcd with its tools, and an image with the tags that kubeadm pulls. */
export function etcd(version: string, tags: readonly string[], arch: Arch): Component {
  const release = `github.com/etcd-io/etcd/releases/download/${version}`;
  const top = `etcd-${version}-linux-${arch}`;
  const modules = { etcd: 'server', etcdctl: 'etcdctl', etcdutl: 'etcdutl' };
  const names = Object.keys(modules);
  const paths = Object.entries(modules).map(([name, folder]) => [name, `go.etcd.io/etcd/${folder}/v3`] as const);
  return {
    name: 'etcd',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: Object.fromEntries(paths.map(([, path]) => [path, version])),
          programs: Object.fromEntries(paths),
        },
      ],
    },
    files: [
      {
        url: `${release}/${top}.tar.gz`,
        content: { type: 'archive', entries: names.map((name) => program(`${top}/${name}`, name)) },
        sums: { url: `${release}/SHA256SUMS`, style: 'named' },
      },
    ],
    images: [
      {
        names: tags.map((tag) => `registry.k8s.io/etcd:${tag}`),
        layers: [{ type: 'entries', entries: names.map((name) => program(`usr/local/bin/${name}`, name)) }],
        config: { entrypoint: ['etcd'] },
      },
    ],
  };
}
