import { sidecar, type Component } from '../component.ts';
import type { Arch } from '../build-context.ts';

/** The CNI reference plugins. */
export function cniPlugins(version: string, arch: Arch): Component {
  const module = 'github.com/containernetworking/plugins';
  const url = `${module}/releases/download/${version}/cni-plugins-linux-${arch}-${version}.tgz`;
  const programs = Object.entries(PLUGINS).flatMap(([kind, names]) =>
    names.map((name) => [name, `${module}/plugins/${kind}/${name}`] as const),
  );
  return {
    name: 'cni-plugins',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { [module]: version },
          programs: Object.fromEntries(programs),
          variables: { [`${module}/pkg/utils/buildversion.BuildVersion`]: version },
        },
      ],
    },
    files: [{ url, content: { type: 'archive', entries: [{ type: 'all' }] }, sums: sidecar(url, '.sha256', 'named') }],
    images: [],
  };
}

const PLUGINS = {
  main: ['bridge', 'dummy', 'host-device', 'ipvlan', 'loopback', 'macvlan', 'ptp', 'tap', 'vlan'],
  meta: ['bandwidth', 'firewall', 'portmap', 'sbr', 'tuning', 'vrf'],
  ipam: ['dhcp', 'host-local', 'static'],
};
