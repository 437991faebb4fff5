import type { ListeningPort } from '../facts.ts';
import { rowsOf } from './sections.ts';

/** Parses `ss -lntup`, or /proc/net/{tcp,tcp6,udp,udp6} with the sockets of all processes. */
export const listeningIn = (listening: string, processes: string): readonly ListeningPort[] =>
  /^(tcp|udp)6? +\d+: /m.test(listening) ? fromProc(listening, processes) : fromSs(listening);

function fromSs(text: string): readonly ListeningPort[] {
  return rowsOf(text).flatMap(([protocol, , , , local = '', , ...rest]) => {
    const [, address = '', port] = /^(.*):(\d+)$/.exec(local) ?? [];
    if ((protocol !== 'tcp' && protocol !== 'udp') || port === undefined) return [];
    return {
      protocol,
      address: address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, ''),
      port: Number(port),
      process: /\(\("([^"]+)"/.exec(rest.join(' '))?.[1],
    };
  });
}

function fromProc(text: string, processes: string): readonly ListeningPort[] {
  const holders = new Map(
    [...processes.matchAll(/^socket:\[(\d+)\] (.+)$/gm)].map((match) => [match[1], match[2]] as const),
  );
  return rowsOf(text).flatMap(([kind = '', , local = '', , state, , , , , , inode]) => {
    const protocol = kind.startsWith('tcp') ? 'tcp' : 'udp';
    const [hex = '', port = ''] = local.split(':');
    // 0A is LISTEN; an unconnected UDP socket is 07.
    if (state !== (protocol === 'tcp' ? '0A' : '07')) return [];
    return { protocol, address: addressOf(hex), port: Number.parseInt(port, 16), process: holders.get(inode) } as const;
  });
}

/** Parses an address. The kernel prints each 32-bit word in little-endian byte order. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).toReversed());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  const groups = bytes.flatMap((byte, index) => (index % 2 ? [] : `${byte}${bytes[index + 1] ?? ''}`.toLowerCase()));
  const text = groups.map((group) => group.replace(/^0{1,3}/, '')).join(':');
  return text.replace(/(^|:)0(:0)+(:|$)/, '::');
}
