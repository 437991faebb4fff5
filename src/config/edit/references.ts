import type { Spec } from '../schema/cluster.ts';

/** Returns the references by name that prevent the removal of hosts from the cluster file. */
export function referencesTo({ hosts, system }: Spec, names: ReadonlySet<string>): readonly string[] {
  const jumps = hosts.flatMap(({ name, jump }) =>
    typeof jump === 'string' && names.has(jump) && !names.has(name) ? [`${jump} is the jump host of ${name}`] : [],
  );
  const time = system.ntpServers.filter((server) => names.has(server));
  return [...jumps, ...time.map((name) => `${name} is the time server of the cluster (spec.system.ntpServers)`)];
}
