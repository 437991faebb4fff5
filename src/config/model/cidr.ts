import { isIP } from 'node:net';
import { normalizeCidr, overlapCidr, parseCidr } from 'cidr-tools';

/** One family of a network. */
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

/** "v4" or "v4,v6", in the order of the text: the first one is the primary family. */
export const toCidrs = (pair: string): readonly Cidr[] =>
  pair.split(',').map((part) => {
    const text = part.trim();
    const { version, prefix } = parseCidr(text);
    return { text, family: version, prefix: Number(prefix) };
  });

export const overlap = (one: string, other: string) => familyOf(one) === familyOf(other) && overlapCidr(one, other);

const familyOf = (network: string) => (network.includes(':') ? 6 : 4);

/** One spelling for one address: 2001:DB8:0::1 is 2001:db8::1. Names stay as they are. */
export const canonical = (address: string) => (isIP(address) === 0 ? address : normalizeCidr(address));
