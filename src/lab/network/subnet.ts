import { fail } from '../../common/errors/errors.ts';

/** The number K of the first lab network 10.177.K.0/24 that neither a lab nor a route of this computer has. */
export function chooseSubnet(taken: readonly number[], routes: readonly Route[]): number {
  const real = routes
    .filter((route) => !BLOCKING.has(route.type ?? '') && route.dst !== 'default')
    .map(({ dst }) => rangeOf(dst));
  for (let number = 0; number < 256; number++) {
    const own = rangeOf(subnetOf(number));
    const overlaps = real.some((other) => own.first <= other.last && other.first <= own.last);
    if (!taken.includes(number) && !overlaps) return number;
  }
  throw fail('LAB_NO_SUBNET', { range: '10.177.0.0/16' });
}

/** A route as `ip -json route` tells it. */
export interface Route {
  readonly dst: string;
  readonly type?: string;
}

export const subnetOf = (number: number) => `10.177.${number}.0/24`;
export const gatewayOf = (number: number) => `10.177.${number}.1`;

/** Where the machine with this place in the list is; the first addresses stay free for virtual addresses. */
export const addressOf = (number: number, place: number) => `10.177.${number}.${11 + place}`;

/** The number K of a lab network, if it is one. */
export function subnetNumber(subnet: string): number | undefined {
  const number = /^10\.177\.(\d+)\.0\/24$/.exec(subnet)?.[1];
  return number === undefined ? undefined : Number(number);
}

// Routes that lead nowhere are how a careful owner keeps packets in; a lab may have what they cover.
const BLOCKING = new Set(['unreachable', 'blackhole', 'prohibit', 'throw']);

function rangeOf(cidr: string): { readonly first: number; readonly last: number } {
  const [address = '', bits = '32'] = cidr.split('/');
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  const first = value - (value % size);
  return { first, last: first + size - 1 };
}
