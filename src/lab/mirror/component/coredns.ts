import { program, type Component } from '../component.ts';

/** The CoreDNS image, with the plugins that clusters use. */
export function coredns(version: string): Component {
  return {
    name: 'coredns',
    version,
    source: {
      type: 'go',
      builds: [{ require: { [MODULE]: version }, sources: { 'main.go': MAIN }, programs: { coredns: '.' } }],
    },
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

const MODULE = 'github.com/coredns/coredns';

// Cloud providers, tracing and DNSSEC would double the build time with their SDKs.
const PLUGINS = `
  acl any auto autopath bind bufsize cache cancel chaos debug dns64 erratic errors file forward header health hosts
  k8s_external kubernetes loadbalance local log loop metadata metrics minimal nsid pprof ready reload rewrite root
  secondary template timeouts tls transfer whoami
`
  .trim()
  .split(/\s+/);

const MAIN = `package main

import (
\t"${MODULE}/coremain"
${PLUGINS.map((name) => `\t_ "${MODULE}/plugin/${name}"\n`).join('')})

func main() { coremain.Run() }
`;
