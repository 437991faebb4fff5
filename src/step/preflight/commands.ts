import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { asksEtcd, balancerCommands, needsNft, NFT_PACKAGE, nodeCommands } from '../host-requirements/packages.ts';
import { familyOf } from './fixes.ts';

/** A program that has to be on a host, and the package that brings it. */
export interface NeededCommand {
  readonly name: string;
  readonly package: string;
  /** From the start: kubexm cannot work without. The others are installed by prepare-os, unless packages are kept. */
  readonly first: boolean;
}

/** Every program that the checks ask for on a host. */
export const commandsFor = (cluster: Cluster, host: ClusterHost, facts: Facts): readonly NeededCommand[] => {
  const later = isNode(host) ? Object.entries(nodeCommands(facts)) : [];
  return [
    ...FIRST.map(([name, debian, rpm]) => ({
      name,
      package: familyOf(facts) === 'debian' ? debian : rpm,
      first: true,
    })),
    ...later.map(([name, brings]) => ({ name, package: brings, first: false })),
    ...(needsNft(cluster, facts) ? [{ name: 'nft', package: NFT_PACKAGE, first: false }] : []),
    ...[...(asksEtcd(cluster, host) ? ['curl'] : []), ...balancerCommands(cluster, host)].map((name) => ({
      name,
      package: name,
      first: false,
    })),
  ];
};

const FIRST = [
  ['systemctl', 'systemd', 'systemd'],
  ['bash', 'bash', 'bash'],
  ['ip', 'iproute2', 'iproute'],
  ['tar', 'tar', 'tar'],
  ['gzip', 'gzip', 'gzip'],
  ['sha256sum', 'coreutils', 'coreutils'],
  ['timeout', 'coreutils', 'coreutils'],
  ['find', 'findutils', 'findutils'],
  ['awk', 'mawk', 'gawk'],
  ['mount', 'mount', 'util-linux'],
  ['modprobe', 'kmod', 'kmod'],
  ['sysctl', 'procps', 'procps-ng'],
] as const;
