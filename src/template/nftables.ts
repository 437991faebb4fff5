import { isIPv6 } from 'node:net';
import type { OpenPort } from '../config/model/port-table.ts';
import type { OpenPorts } from '../config/model/ports.ts';

/** Incoming traffic to accept, besides replies and loopback. */
export interface NftablesOptions extends OpenPorts {
  /** Networks whose traffic is accepted without restriction. */
  readonly trusted: readonly string[];
  /** Addresses of the other hosts of the cluster. */
  readonly hosts: readonly string[];
}

export const NFTABLES_TABLE = 'kubexm_firewall';

/** A separate table that accepts exactly this traffic. The file can be loaded repeatedly. */
export const nftablesConf = ({ ports, protocols, trusted, hosts }: NftablesOptions): string => `# Written by kubexm.
table inet ${NFTABLES_TABLE} {}
delete table inet ${NFTABLES_TABLE}
table inet ${NFTABLES_TABLE} {
${FAMILIES.map((family) => hostSet(family, hosts)).join('')}  chain input {
    type filter hook input priority 0; policy drop;
    ct state established,related accept
    ct state invalid drop
    iif lo accept
    meta l4proto { icmp, ipv6-icmp } accept
    ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept comment "dhcpv6"
${[...ports.flatMap(portRules), ...protocols.flatMap(protocolRules), ...trusted.map(trustRule)].map((rule) => `    ${rule}\n`).join('')}  }
}
`;

interface Family {
  readonly match: 'ip' | 'ip6';
  readonly set: string;
  readonly type: string;
}

const FAMILIES: readonly Family[] = [
  { match: 'ip', set: 'cluster_hosts', type: 'ipv4_addr' },
  { match: 'ip6', set: 'cluster_hosts6', type: 'ipv6_addr' },
];

/** A set without elements matches nothing. */
function hostSet({ match, set, type }: Family, hosts: readonly string[]): string {
  const own = hosts.filter((address) => isIPv6(address) === (match === 'ip6'));
  return `  set ${set} {
    type ${type}
${own.length === 0 ? '' : `    elements = { ${own.join(', ')} }\n`}  }
`;
}

/** One rule for all sources, or one per IP family for hosts of the cluster. */
const rulesFrom = (hostsOnly: boolean, rule: string) =>
  hostsOnly ? FAMILIES.map(({ match, set }) => `${match} saddr @${set} ${rule}`) : [rule];

const portRules = ({ protocol, port, to, for: what, inCluster = false }: OpenPort) =>
  rulesFrom(inCluster, `${protocol} dport ${to === undefined ? port : `${port}-${to}`} accept comment "${what}"`);

const NUMBERS = { vrrp: 112, ipip: 4 } as const;
const protocolRules = (protocol: keyof typeof NUMBERS) =>
  rulesFrom(protocol === 'ipip', `meta l4proto ${NUMBERS[protocol]} accept comment "${protocol}"`);

const trustRule = (network: string) => `${network.includes(':') ? 'ip6' : 'ip'} saddr ${network} accept comment "pods"`;
