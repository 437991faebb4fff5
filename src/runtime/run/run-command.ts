import { setMaxListeners } from 'node:events';
import { KubexmError } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { connectHosts, type ConnectedHost, type OnNewHostKey } from '../session/connect.ts';
import { selectHosts } from '../session/select-hosts.ts';

/** The result of a command on one host; `failed` means that it could not be run. */
export type CommandOutcome =
  | {
      readonly type: 'ended';
      readonly host: string;
      readonly exit: number;
      readonly stdout: string;
      readonly stderr: string;
      readonly durationMs: number;
    }
  | { readonly type: 'failed'; readonly host: string; readonly error: KubexmError };

/** Options for running a command on hosts. */
export interface RunCommandOptions {
  /** Host names, globs and role:x; all hosts if empty. */
  readonly nodes: readonly string[];
  readonly workdir: string;
  readonly root: boolean;
  readonly signal: AbortSignal;
  /** Called for each line of output as it arrives. */
  readonly onLine: (host: string, line: string, stream: 'stdout' | 'stderr') => void;
  readonly onNewHostKey?: OnNewHostKey;
}

/** Runs a command on all selected hosts in parallel. An unreachable host does not affect the others. */
export async function runCommand(
  cluster: Cluster,
  command: string,
  options: RunCommandOptions,
): Promise<readonly CommandOutcome[]> {
  const { nodes, workdir, onNewHostKey } = options;
  // Every host listens to the same signal; by default Node warns about more than ten listeners.
  setMaxListeners(0, options.signal);
  const hosts = await connectHosts(cluster, selectHosts(cluster, nodes), workdir, onNewHostKey);
  return Promise.all(hosts.map((each) => runOn(each, command, options)));
}

async function runOn(
  { host: { name }, connector }: ConnectedHost,
  command: string,
  { root, signal, onLine }: RunCommandOptions,
): Promise<CommandOutcome> {
  await using reached = connector;
  const start = performance.now();
  try {
    const { exit, stdout, stderr } = await reached.exec(command, {
      root,
      signal,
      onLine: (line, stream) => onLine(name, line, stream),
    });
    return { type: 'ended', host: name, exit, stdout, stderr, durationMs: Math.round(performance.now() - start) };
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    return { type: 'failed', host: name, error };
  }
}
