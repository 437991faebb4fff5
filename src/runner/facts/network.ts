import type { NetworkInterface, Route } from '../facts.ts';
import { rowsOf } from './sections.ts';

/** Parses `ip -o addr show` for IPv4 and IPv6, or /proc/net/if_inet6, and adds MTU and MAC from /sys/class/net. */
export function interfacesIn(addresses: string, addresses6: string, interfaces: string): readonly NetworkInterface[] {
  const addressesOf = new Map<string, string[]>();
  for (const row of [...rowsOf(addresses), ...rowsOf(addresses6)]) {
    const [name, address] = /^\d+:$/.test(row[0] ?? '') ? [row[1], row[3]] : fromProc(row);
    if (name === undefined || address === undefined) continue;
    addressesOf.set(name, [...(addressesOf.get(name) ?? []), address]);
  }
  return rowsOf(interfaces).map(([name = '', mtu, mac = '']) => ({
    name,
    mac,
    mtu: Number(mtu),
    addresses: addressesOf.get(name) ?? [],
  }));
}

/** Parses a line of /proc/net/if_inet6: address, index, prefix length, scope, flags, name. */
function fromProc([hex = '', , prefix = '', , , name]: readonly string[]): readonly (string | undefined)[] {
  if (hex.length !== 32) return [];
  const address = hex.replace(/(.{4})(?!$)/g, '$1:').replace(/\b0{1,3}(?=[0-9a-f])/g, '');
  return [name, `${address}/${Number.parseInt(prefix, 16)}`];
}

/** Parses `ip route show` for IPv4 and IPv6, or /proc/net/route. */
export const routesIn = (routes: string, routes6: string): readonly Route[] => [
  ...(routes.trimStart().startsWith('Iface') ? fromProcRoute(routes) : fromIp(routes)),
  ...fromIp(routes6),
];

const fromIp = (text: string): readonly Route[] =>
  rowsOf(text)
    .map((row) => (ROUTE_TYPES.has(row[0] ?? '') ? row.slice(1) : row))
    .map((row) => {
      const after = (word: string) => (row.includes(word) ? row[row.indexOf(word) + 1] : undefined);
      return { destination: row[0] ?? '', gateway: after('via'), interface: after('dev') };
    });

const ROUTE_TYPES: ReadonlySet<string> = new Set([
  'unicast',
  'blackhole',
  'unreachable',
  'prohibit',
  'local',
  'broadcast',
]);

const fromProcRoute = (text: string): readonly Route[] =>
  rowsOf(text)
    .slice(1)
    .map(([name, destination = '', gateway = '', , , , , mask = '']) => ({
      destination: mask === '00000000' ? 'default' : `${dotted(destination)}/${ones(mask)}`,
      gateway: gateway === '00000000' ? undefined : dotted(gateway),
      interface: name,
    }));

// The kernel prints IPv4 addresses in little-endian byte order.
const dotted = (hex: string) =>
  (hex.match(/../g) ?? [])
    .toReversed()
    .map((byte) => Number.parseInt(byte, 16))
    .join('.');
const ones = (hex: string) => Number.parseInt(hex, 16).toString(2).replaceAll('0', '').length;
