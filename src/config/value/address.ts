import { isIP } from 'node:net';
import { normalizeCidr, overlapCidr, parseCidr } from 'cidr-tools';

/**
 * Returns whether a text is an RFC 1123 label, which Kubernetes requires for object names that become part of a host
 * name.
 */
export const isDnsLabel = (name: string) => name.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name);

/** Returns whether a text is an RFC 1123 host name. It may consist of digits only, such as "7". */
export const isHostName = (name: string) => name.length <= 253 && name.split('.').every(isDnsLabel);

/** Returns whether a text is a host name that cannot be mistaken for an IP address. */
export const isDnsName = (name: string) => isHostName(name) && !/^[\d.]+$/.test(name);

/** A network of one IP family. */
export interface Cidr {
  readonly text: string;
  readonly family: 4 | 6;
  readonly prefix: number;
}

export function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...more] = text.split('/');
  const family = isIP(address);
  return more.length === 0 && family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/**
 * Parses one CIDR, or an IPv4 and an IPv6 CIDR separated by a comma. The first one belongs to the primary IP family.
 */
export const toCidrs = (pair: string): readonly Cidr[] =>
  pair.split(',').map((part) => {
    const text = part.trim();
    const { version, prefix } = parseCidr(text);
    return { text, family: version, prefix: Number(prefix) };
  });

export const overlap = (one: string, other: string) => familyOf(one) === familyOf(other) && overlapCidr(one, other);

const familyOf = (network: string) => (network.includes(':') ? 6 : 4);

/** Normalizes an IP address (2001:DB8:0::1 becomes 2001:db8::1). Returns names unchanged. */
export const canonical = (address: string) => (isIP(address) === 0 ? address : normalizeCidr(address));
