import type { OpenPort } from '../config/model/port-table.ts';
import type { OpenPorts } from '../config/model/ports.ts';

/** Incoming traffic to accept, besides replies and loopback. */
export interface NftablesOptions extends OpenPorts {
  /** Networks whose traffic is accepted without restriction. */
  readonly trusted: readonly string[];
}

export const NFTABLES_TABLE = 'kubexm_firewall';

/** A separate table that accepts exactly this traffic. The file can be loaded repeatedly. */
export const nftablesConf = ({ ports, protocols, trusted }: NftablesOptions): string => `# Written by kubexm.
table inet ${NFTABLES_TABLE} {}
delete table inet ${NFTABLES_TABLE}
table inet ${NFTABLES_TABLE} {
  chain input {
    type filter hook input priority 0; policy drop;
    ct state established,related accept
    ct state invalid drop
    iif lo accept
    meta l4proto { icmp, ipv6-icmp } accept
    ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept comment "dhcpv6"
${[...ports.map(portRule), ...protocols.map(protocolRule), ...trusted.map(trustRule)].map((rule) => `    ${rule}\n`).join('')}  }
}
`;

const portRule = ({ protocol, port, to, for: what }: OpenPort) =>
  `${protocol} dport ${to === undefined ? port : `${port}-${to}`} accept comment "${what}"`;

const NUMBERS = { vrrp: 112, ipip: 4 } as const;
const protocolRule = (protocol: keyof typeof NUMBERS) =>
  `meta l4proto ${NUMBERS[protocol]} accept comment "${protocol}"`;

const trustRule = (network: string) => `${network.includes(':') ? 'ip6' : 'ip'} saddr ${network} accept comment "pods"`;
