import type { Spec } from '../schema/cluster.ts';

/** Why hosts cannot be removed from the cluster file: other fields refer to them by name. */
export function referencesTo({ hosts, system }: Spec, names: ReadonlySet<string>): readonly string[] {
  const jumps = hosts.flatMap(({ name, jump }) =>
    typeof jump === 'string' && names.has(jump) && !names.has(name) ? [`${jump} is the jump host of ${name}`] : [],
  );
  const time = system.ntpServers.filter((server) => names.has(server));
  return [...jumps, ...time.map((name) => `${name} is the time server of the cluster (spec.system.ntpServers)`)];
}
