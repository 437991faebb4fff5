import type { Container, Pod, Quantities } from '../../kubernetes-api/objects.ts';

/** Amounts by resource name, in cores, bytes or pieces. */
export type Amounts = ReadonlyMap<string, number>;

/** A Kubernetes quantity as a number: "500m" is 0.5, "1Gi" is 1073741824. */
export function parseQuantity(text: string): number {
  const [, number = '0', suffix = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  return Number(number) * (SUFFIXES[suffix] ?? Number.NaN);
}

const SUFFIXES: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

export const amountsOf = (quantities: Quantities = {}): Amounts =>
  new Map(Object.entries(quantities).map(([name, text]) => [name, parseQuantity(text)]));

/** What the scheduler reserves for a pod: its containers, or an init container if that needs more; and one pod. */
export function requestsOf({ spec }: Pod): Amounts {
  const requests = (container: Container) => amountsOf(container.resources?.requests);
  const running = spec.containers.map(requests).reduce(sum, EMPTY);
  let sidecars = EMPTY;
  let starting = EMPTY;
  for (const container of spec.initContainers ?? []) {
    const own = requests(container);
    // A sidecar keeps running next to everything after it.
    if (container.restartPolicy === 'Always') sidecars = sum(sidecars, own);
    else starting = larger(starting, sum(sidecars, own));
  }
  const most = larger(sum(running, sidecars), starting);
  return new Map([...sum(most, amountsOf(spec.overhead)), ['pods', 1]]);
}

const EMPTY: Amounts = new Map();

export const sum = (one: Amounts, other: Amounts): Amounts => combine(one, other, (a, b) => a + b);

export const difference = (one: Amounts, other: Amounts): Amounts => combine(one, other, (a, b) => a - b);

const larger = (one: Amounts, other: Amounts): Amounts => combine(one, other, Math.max);

const combine = (one: Amounts, other: Amounts, join: (a: number, b: number) => number): Amounts =>
  new Map([...one.keys(), ...other.keys()].map((name) => [name, join(one.get(name) ?? 0, other.get(name) ?? 0)]));
