import type { Cluster } from '../config/model/cluster.ts';
import type { Stop } from '../engine/stop.ts';
import type { Session } from '../runtime/session/session.ts';
import { clusterOptions, loginOptions, namedBy, placeOf } from './options/cluster.ts';
import type { Call, OptionSpec } from './command.ts';
import { listenForInterrupts } from './interrupts.ts';

/** The options of every command that only looks at a cluster. */
export const lookOptions = { ...clusterOptions, ...loginOptions } as const satisfies Record<string, OptionSpec>;

/** The cluster that a call is about. */
export interface NamedCluster {
  readonly cluster: Cluster;
  readonly workdir: string;
  /** How it is named on a command line: "-c prod". */
  readonly named: string;
}

export type LookCall = Pick<Call<typeof lookOptions>, 'options' | 'global' | 'console'>;

export async function namedCluster({ options, global }: LookCall): Promise<NamedCluster> {
  const { loadCluster } = await import('../config/load/load.ts');
  const { withLogin } = await import('../config/model/with-login.ts');
  const { file, workdir } = await placeOf(options, global);
  const cluster = withLogin(await loadCluster(file, { overrides: options.extraVars }), options);
  return { cluster, workdir, named: namedBy({ file, clusterName: options.clusterName }) };
}

/** Opens the way to the hosts of a cluster for as long as something looks at them. */
export async function lookingAt<T>(
  call: LookCall,
  look: (session: Session, named: NamedCluster, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const named = await namedCluster(call);
  const { openSession } = await import('../runtime/session/session.ts');
  return interruptible(call, async ({ soft }) => {
    await using session = await openSession(named.cluster, named.workdir);
    call.console.progress({ task: `Looking at ${named.cluster.name}` });
    return await look(session, named, soft);
  });
}

/** Ctrl-C ends a look at once: there is nothing to be finished. */
export async function interruptible<T>(
  { console }: Pick<LookCall, 'console'>,
  act: (stop: Stop) => Promise<T>,
): Promise<T> {
  const { fail } = await import('../common/errors/errors.ts');
  using interrupts = listenForInterrupts(() => console.note('Stopped.', 'warning'));
  const { stop } = interrupts;
  try {
    return await act(stop);
  } catch (error) {
    throw stop.soft.aborted ? fail('INTERRUPTED', {}) : error;
  }
}
