import { isIP } from 'node:net';
import { isHostName } from '../value/address.ts';

/** A host that already has a name. */
export interface NamedHost {
  readonly name: string;
  readonly address: string;
}

/**
 * Chooses names for new hosts that follow the pattern of existing names: node3 after node1 and node2, or names that
 * contain the address or its last number. Without a pattern, derives the name from the address. Patterns of the
 * `similar` hosts, which have the same role, take precedence.
 */
export function nameHosts(
  addresses: readonly string[],
  hosts: readonly NamedHost[],
  similar: readonly NamedHost[],
): readonly string[] {
  const taken = new Set(hosts.map(({ name }) => name));
  const scheme = schemeOf(similar, hosts) ?? schemeOf(hosts, hosts) ?? fromAddress('node');
  return addresses.map((address) => {
    const name = free(scheme(address, taken), taken);
    taken.add(name);
    return name;
  });
}

type Scheme = (address: string, taken: ReadonlySet<string>) => string;

function schemeOf(like: readonly NamedHost[], hosts: readonly NamedHost[]): Scheme | undefined {
  const last = like.at(-1);
  if (!last) return undefined;
  const dashed = dashes(last.address);
  if (isIP(last.address) !== 0 && last.name.endsWith(`-${dashed}`))
    return fromAddress(last.name.slice(0, -dashed.length - 1));
  const numbered = NUMBERED.exec(last.name);
  if (!numbered) return undefined;
  const [, before = '', number = '', after = ''] = numbered;
  const pattern = new RegExp(`^${escaped(before)}(\\d+)${escaped(after)}$`);
  const family = hosts.filter(({ name }) => pattern.test(name));
  const numberOf = (name: string) => Number(pattern.exec(name)?.[1] ?? 0);
  const width = number.startsWith('0') ? number.length : 0;
  const write = (value: number) => `${before}${String(value).padStart(width, '0')}${after}`;
  // node1 and node2 with the addresses 10.0.0.1 and 10.0.0.2 may as well be counted.
  const isCounted = family.every(({ name }) => numberOf(name) <= family.length);
  const byAddress =
    !isCounted && family.length > 1 && family.every((host) => lastOctet(host.address) === numberOf(host.name));
  return (address, taken) => {
    const octet = byAddress ? lastOctet(address) : undefined;
    return write(octet ?? Math.max(0, ...[...taken].map(numberOf)) + 1);
  };
}

/** Matches a number at the end of the first label. */
const NUMBERED = /^([^.]*?)(\d+)((?:\..*)?)$/;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const lastOctet = (address: string) => (isIP(address) === 4 ? Number(address.split('.').at(-1)) : undefined);

/** Returns a name such as node-10-0-0-14 for an IP address, or the first label of a DNS name. */
const fromAddress =
  (prefix: string): Scheme =>
  (address) =>
    isIP(address) === 0 ? (address.split('.')[0] ?? address) : `${prefix}-${dashes(address)}`;

const dashes = (address: string) => address.toLowerCase().replaceAll(/[.:]+/g, '-').replace(/-$/, '-0');

function free(name: string, taken: ReadonlySet<string>): string {
  if (isHostName(name) && !taken.has(name)) return name;
  for (let suffix = 2; ; suffix++) if (!taken.has(`${name}-${suffix}`)) return `${name}-${suffix}`;
}
