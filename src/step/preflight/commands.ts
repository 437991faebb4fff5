import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import {
  checksExternalEtcd,
  loadBalancerCommands,
  needsNft,
  NFT_PACKAGE,
  nodeCommands,
} from '../host-requirements/packages.ts';
import { familyOf } from './fixes.ts';

/** A program that a host needs, and the package that provides it. */
export interface NeededCommand {
  readonly name: string;
  readonly package: string;
  /** kubexm itself needs it from the start. The others are installed by prepare-os, unless system.packages is keep. */
  readonly prerequisite: boolean;
}

/** All programs that a host needs. */
export const commandsFor = (cluster: Cluster, host: ClusterHost, facts: Facts): readonly NeededCommand[] => {
  const later = isNode(host) ? Object.entries(nodeCommands(facts)) : [];
  return [
    ...PREREQUISITES.map(([name, debian, rpm]) => ({
      name,
      package: familyOf(facts) === 'debian' ? debian : rpm,
      prerequisite: true,
    })),
    ...later.map(([name, provider]) => ({ name, package: provider, prerequisite: false })),
    ...(needsNft(cluster, facts) ? [{ name: 'nft', package: NFT_PACKAGE, prerequisite: false }] : []),
    ...[...(checksExternalEtcd(cluster, host) ? ['curl'] : []), ...loadBalancerCommands(cluster, host)].map((name) => ({
      name,
      package: name,
      prerequisite: false,
    })),
  ];
};

const PREREQUISITES = [
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
