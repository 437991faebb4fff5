import type { Cluster, ClusterHost } from '../../config/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { isNode } from './check.ts';

/** A program that has to be on a host, and the package that brings it. */
export interface NeededCommand {
  readonly name: string;
  readonly packages: Readonly<Record<Exclude<Facts['family'], 'other'>, string>>;
  /** From the start: kubexm cannot work without. The others are installed by prepare-os. */
  readonly first: boolean;
  readonly when?: (cluster: Cluster, host: ClusterHost) => boolean;
}

const first = (name: string, debian: string, rhel: string): NeededCommand => ({
  name,
  packages: { debian, rhel },
  first: true,
});

const later = (
  name: string,
  debian: string,
  rhel: string,
  when: NeededCommand['when'] = (_, host) => isNode(host),
): NeededCommand => ({ name, packages: { debian, rhel }, first: false, when });

/** Every program that the checks ask for. */
export const COMMANDS: readonly NeededCommand[] = [
  first('systemctl', 'systemd', 'systemd'),
  first('bash', 'bash', 'bash'),
  first('ip', 'iproute2', 'iproute'),
  first('tar', 'tar', 'tar'),
  first('gzip', 'gzip', 'gzip'),
  first('sha256sum', 'coreutils', 'coreutils'),
  first('timeout', 'coreutils', 'coreutils'),
  first('find', 'findutils', 'findutils'),
  first('awk', 'mawk', 'gawk'),
  first('mount', 'mount', 'util-linux'),
  first('modprobe', 'kmod', 'kmod'),
  first('sysctl', 'procps', 'procps-ng'),
  later('conntrack', 'conntrack', 'conntrack-tools'),
  later('socat', 'socat', 'socat'),
  later('ipset', 'ipset', 'ipset'),
  later('ebtables', 'ebtables', 'ebtables'),
  later(
    'iptables',
    'iptables',
    'iptables',
    (cluster, host) => isNode(host) && cluster.kubernetes.proxyMode !== 'nftables',
  ),
  later('nft', 'nftables', 'nftables', (cluster, host) => isNode(host) && cluster.kubernetes.proxyMode === 'nftables'),
];
