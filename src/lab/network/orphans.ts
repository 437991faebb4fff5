import { readdir } from 'node:fs/promises';
import type { Json } from '../../common/json.ts';
import { at, items, parseJson, text } from '../json.ts';
import { run, tryRun } from '../run.ts';
import { subnetNumber, subnetOf } from './subnet.ts';

/** Removes the bridges, iptables rules and network namespaces that podman leaves behind when it is killed. */
export async function removeOrphans(inUse: readonly number[]): Promise<void> {
  for (const [number, bridge] of await orphanBridges(inUse)) {
    // Namespaces come first: they are recognized by their links.
    await removeNamespaces(number);
    for (const link of await linksOn(bridge)) await tryRun(['ip', 'link', 'delete', link]);
    await run(['ip', 'link', 'delete', bridge]);
    await removeIptablesRules(subnetOf(number));
  }
}

async function orphanBridges(inUse: readonly number[]): Promise<readonly (readonly [number, string])[]> {
  const links = items(parseJson(await run(['ip', '-json', '-4', 'address', 'show'])));
  return links.flatMap((link) =>
    numbersOn(link)
      .filter((number) => !inUse.includes(number))
      .map((number) => [number, text(at(link, 'ifname'))] as const),
  );
}

const numbersOn = (link: Json) =>
  items(at(link, 'addr_info')).flatMap((address) => {
    const [a, b, c] = text(at(address, 'local')).split('.');
    return subnetNumber(`${a}.${b}.${c}.0/24`) ?? [];
  });

const linksOn = async (bridge: string) =>
  items(parseJson(await run(['ip', '-json', 'link', 'show', 'master', bridge]))).map((link) =>
    text(at(link, 'ifname')),
  );

async function removeIptablesRules(subnet: string): Promise<void> {
  for (const table of ['filter', 'nat']) {
    const rules = (await run(['iptables', '-t', table, '-S']))
      .split('\n')
      .filter((rule) => rule.includes(` ${subnet} `));
    const chains = new Set(rules.flatMap((rule) => /NETAVARK-[0-9A-F]{13}\b/.exec(rule) ?? []));
    for (const rule of rules) await tryRun(['iptables', '-t', table, '-D', ...rule.split(' ').slice(1)]);
    for (const chain of chains) {
      for (const action of ['-F', '-X']) await tryRun(['iptables', '-t', table, action, chain]);
    }
  }
}

async function removeNamespaces(number: number): Promise<void> {
  for (const name of await readdir('/run/netns').catch(() => [])) {
    const { stdout } = await tryRun(['ip', '-netns', name, '-json', '-4', 'address', 'show']);
    const isOurs = items(parseJson(stdout)).some((link) => numbersOn(link).includes(number));
    if (isOurs) await tryRun(['ip', 'netns', 'delete', name]);
  }
}
