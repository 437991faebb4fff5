import { KubexmError } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { connectHosts, type ConnectedHost } from '../session/connect.ts';
import { selectHosts } from '../session/select-hosts.ts';

/** What a command did on one host: it ended, or the host could not be asked. */
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

/** How a command is run on hosts. */
export interface RunCommandOptions {
  /** Names, globs and role:x; all hosts if empty. */
  readonly nodes: readonly string[];
  readonly workdir: string;
  readonly root: boolean;
  readonly signal: AbortSignal;
  /** Each line as it comes. */
  readonly onLine: (host: string, line: string, stream: 'stdout' | 'stderr') => void;
}

/** Runs a command on hosts at once. One that cannot be reached keeps no other from running. */
export async function runCommand(
  cluster: Cluster,
  command: string,
  options: RunCommandOptions,
): Promise<readonly CommandOutcome[]> {
  const hosts = await connectHosts(cluster, selectHosts(cluster, options.nodes), options.workdir);
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
