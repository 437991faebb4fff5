import { program, type Component } from '../component.ts';

/** The CoreDNS image. */
export function coredns(version: string): Component {
  const module = 'github.com/coredns/coredns';
  return {
    name: 'coredns',
    version,
    source: { type: 'go', builds: [{ require: { [module]: version }, programs: { coredns: module } }] },
    files: [],
    images: [
      {
        names: [`registry.k8s.io/coredns/coredns:${version}`],
        layers: [{ type: 'entries', entries: [program('coredns', 'coredns')] }],
        config: { entrypoint: ['/coredns'], folder: '/' },
      },
    ],
  };
}
