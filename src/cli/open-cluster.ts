import type { Cluster } from '../config/model/cluster.ts';
import type { Session } from '../runtime/session/session.ts';
import type { Call, OptionSpec } from './command.ts';
import { showNewHostKeys } from './format/host-key-text.ts';
import { interruptible } from './interrupts.ts';
import { clusterFlag, clusterOptions, locateCluster, loginOptions } from './options/cluster.ts';

/** Options for commands that inspect a cluster over SSH without changing it. */
export const inspectOptions = { ...clusterOptions, ...loginOptions } as const satisfies Record<string, OptionSpec>;

export type InspectCall = Pick<Call<typeof inspectOptions>, 'options' | 'global' | 'console'>;

/** The cluster selected by command options. */
export interface SelectedCluster {
  readonly cluster: Cluster;
  readonly workdir: string;
  /** The flag that selects the cluster in suggested commands, such as "-c prod". */
  readonly named: string;
}

export async function loadSelectedCluster({
  options,
  global,
}: Pick<InspectCall, 'options' | 'global'>): Promise<SelectedCluster> {
  const { loadCluster } = await import('../config/load/load.ts');
  const { withLogin } = await import('../config/model/with-login.ts');
  const { file, workdir } = await locateCluster(options, global);
  const cluster = withLogin(await loadCluster(file, { overrides: options.extraVars }), options);
  return { cluster, workdir, named: clusterFlag({ file, clusterName: options.clusterName }) };
}

/** Opens a session to the selected cluster and closes it after `inspect`. */
export async function inspectCluster<T>(
  call: InspectCall,
  inspect: (session: Session, selected: SelectedCluster, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const selected = await loadSelectedCluster(call);
  const { openSession } = await import('../runtime/session/session.ts');
  return interruptible(call.console, async ({ soft }) => {
    await using session = await openSession(selected.cluster, selected.workdir, showNewHostKeys(call.console));
    call.console.progress({ task: `Inspecting ${selected.cluster.name}` });
    return await inspect(session, selected, soft);
  });
}
