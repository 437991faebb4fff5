import { readApplied } from '../../config/model/applied.ts';
import type { Runner } from '../../runner/runner.ts';
import { readAppliedState } from '../../state/cluster-state.ts';
import { appliedHosts, type AppliedHosts } from '../../step/state/applied-hosts.ts';
import { readConfigMap, readSecret } from '../../step/state/published.ts';

/** The hosts in the applied state of this machine; undefined if it has none. */
export async function localHosts(workdir: string, cluster: string): Promise<AppliedHosts | undefined> {
  const state = readApplied(await readAppliedState(workdir, cluster));
  return state && appliedHosts(state);
}

/** The hosts in the state that was published to the cluster. */
export async function publishedHosts(master: Runner): Promise<AppliedHosts | undefined> {
  const state = (await readSecret(master)) ?? (await readConfigMap(master));
  return state && appliedHosts(state);
}
