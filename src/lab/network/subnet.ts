import { fail } from '../../common/errors/errors.ts';

/** The lowest K whose subnet 10.177.K.0/24 overlaps neither another lab nor a route of this computer. */
export function chooseSubnet(taken: readonly number[], routes: readonly Route[]): number {
  const routed = routes
    .filter((route) => !BLOCKING.has(route.type ?? '') && route.dst !== 'default')
    .map(({ dst }) => rangeOf(dst));
  for (let number = 0; number < 256; number++) {
    const candidate = rangeOf(subnetOf(number));
    const overlaps = routed.some((other) => candidate.first <= other.last && other.first <= candidate.last);
    if (!taken.includes(number) && !overlaps) return number;
  }
  throw fail('LAB_NO_SUBNET', { range: '10.177.0.0/16' });
}

/** A route as printed by `ip -json route`. */
export interface Route {
  readonly dst: string;
  readonly type?: string;
}

export const subnetOf = (number: number) => `10.177.${number}.0/24`;
export const gatewayOf = (number: number) => `10.177.${number}.1`;

/** The address of the machine at this index. Addresses below .11 stay free for virtual IPs. */
export const addressOf = (number: number, index: number) => `10.177.${number}.${11 + index}`;

/** K of a subnet 10.177.K.0/24; undefined for any other subnet. */
export function subnetNumber(subnet: string): number | undefined {
  const number = /^10\.177\.(\d+)\.0\/24$/.exec(subnet)?.[1];
  return number === undefined ? undefined : Number(number);
}

// Routes of these types only block traffic, so a lab may use the addresses they cover.
const BLOCKING = new Set(['unreachable', 'blackhole', 'prohibit', 'throw']);

function rangeOf(cidr: string): { readonly first: number; readonly last: number } {
  const [address = '', bits = '32'] = cidr.split('/');
  const value = address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  const first = value - (value % size);
  return { first, last: first + size - 1 };
}
