import { at, items, parseJson, text, count } from '../json.ts';
import { run, tryRun } from '../run.ts';
import { subnetOf } from './subnet.ts';

/**
 * Blocks traffic from the lab bridge to private addresses outside the lab, with a routing table of its own.
 * Other destinations have no route in that table, so they fall through to the main table.
 */
export async function isolateNetwork(number: number, bridge: string): Promise<void> {
  const table = String(tableOf(number));
  for (const [family, ranges] of await families()) {
    if (family === '-4') await run(['ip', '-4', 'route', 'replace', 'throw', subnetOf(number), 'table', table]);
    for (const range of ranges) await run(['ip', family, 'route', 'replace', 'unreachable', range, 'table', table]);
    if ((await rules(family)).some((rule) => rule.priority === tableOf(number) && rule.iif === bridge)) continue;
    await run(['ip', family, 'rule', 'add', 'priority', table, 'iif', bridge, 'lookup', table]);
  }
}

/** Removes the routing rules and tables of all labs except those with these numbers. */
export async function removeStaleIsolation(inUse: readonly number[]): Promise<void> {
  const isOrphan = (priority: number) => priority >= BASE && priority < BASE + 256 && !inUse.includes(priority - BASE);
  for (const [family] of await families()) {
    for (const { priority } of (await rules(family)).filter((rule) => isOrphan(rule.priority))) {
      await run(['ip', family, 'rule', 'del', 'priority', String(priority)]);
    }
    for (const table of (await tables(family)).filter(isOrphan)) {
      await run(['ip', family, 'route', 'flush', 'table', String(table)]);
    }
  }
}

/** The ID of a lab's routing table and the priority of its rule. Derived from the lab number, so no record is needed. */
const tableOf = (number: number) => BASE + number;
const BASE = 17_700;

// Private, shared (CGNAT), link-local and benchmark ranges: these may be in use on the surrounding network.
const PRIVATE_RANGES = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '198.18.0.0/15',
];

/** Address families of this computer with the ranges to block. */
async function families(): Promise<readonly (readonly ['-4' | '-6', readonly string[]])[]> {
  const hasIpv6 = (await tryRun(['ip', '-6', 'rule', 'show'])).exit === 0;
  return [['-4', PRIVATE_RANGES] as const, ...(hasIpv6 ? [['-6', ['fc00::/7']] as const] : [])];
}

const rules = async (family: string) =>
  items(parseJson(await run(['ip', '-json', family, 'rule', 'show']))).map((rule) => ({
    priority: count(at(rule, 'priority')),
    iif: text(at(rule, 'iif')),
  }));

const tables = async (family: string) => {
  const routes = items(parseJson(await run(['ip', '-json', family, 'route', 'show', 'table', 'all'])));
  return [...new Set(routes.map((route) => Number(text(at(route, 'table')))))];
};
