import { ROLES, type Role } from '../../common/host.ts';
import { readApplied, type AppliedState } from '../../config/model/applied.ts';
import type { Runner } from '../../runner/runner.ts';
import { readAppliedState } from '../../state/cluster-state.ts';
import { readConfigMap, readSecret } from '../../step/state/published.ts';
import { itemsOf, textOf, textsOf } from '../../util/json-fields.ts';

/** The roles of each host as of the last successful run, by host name. */
export type AppliedHosts = ReadonlyMap<string, readonly Role[]>;

/** The hosts in the applied state of this machine; undefined if it has none. */
export async function localHosts(workdir: string, cluster: string): Promise<AppliedHosts | undefined> {
  const state = readApplied(await readAppliedState(workdir, cluster));
  return state && hostsIn(state);
}

/** The hosts in the state that was published to the cluster. */
export async function publishedHosts(master: Runner): Promise<AppliedHosts | undefined> {
  const state = (await readSecret(master)) ?? (await readConfigMap(master));
  return state && hostsIn(state);
}

/** The hosts of the state; undefined if it is from a version that did not list them. */
export function hostsIn({ spec }: Pick<AppliedState, 'spec'>): AppliedHosts | undefined {
  const hosts = itemsOf(spec, 'hosts').map(
    (host) => [textOf(host, 'name'), textsOf(host, 'roles').filter(isRole)] as const,
  );
  return hosts.length === 0 ? undefined : new Map(hosts);
}

const isRole = (text: string): text is Role => ROLES.some((role) => role === text);
