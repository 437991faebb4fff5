import { fail } from '../../common/errors/errors.ts';
import type { GlobalOptions, OptionSpec } from '../command.ts';

/** The options of every command that reads a cluster file. */
export const clusterOptions = {
  file: { type: 'text', short: 'f', value: 'FILE', summary: 'cluster file; by default the one of the current context' },
  clusterName: { type: 'text', short: 'c', value: 'NAME', summary: 'the cluster of this context' },
  extraVars: { type: 'list', short: 'e', value: 'KEY=VALUE', summary: 'put a value over the file; may be repeated' },
} as const satisfies Record<string, OptionSpec>;

/** The options of every command that logs in to hosts. */
export const loginOptions = {
  sshUser: { type: 'text', value: 'USER', summary: 'log in to all hosts as this user, whatever the file says' },
  sshPrivateKey: { type: 'text', short: 'i', value: 'FILE', summary: 'log in to all hosts with this key' },
} as const satisfies Record<string, OptionSpec>;

/** Where a cluster is described, and where what belongs to it is kept. */
export interface ClusterPlace {
  readonly file: string;
  readonly workdir: string;
}

/** What -f or -c name, or else the current context. A context also says where its .kubexm is, unless --workdir does. */
export async function placeOf(
  named: { readonly file: string | undefined; readonly clusterName: string | undefined },
  { workdir }: Pick<GlobalOptions, 'workdir'>,
): Promise<ClusterPlace> {
  if (named.file !== undefined && named.clusterName !== undefined)
    throw fail('USAGE', { message: 'Both -f and -c name a cluster.', help: 'Give one of them.' });
  if (named.file !== undefined) return { file: named.file, workdir };
  const { currentContext, findContext, readContexts } = await import('../../state/contexts.ts');
  const context = named.clusterName === undefined ? await currentContext() : await findContext(named.clusterName);
  if (context) return { file: context.file, workdir: workdir === '.' ? context.workdir : workdir };
  const { current } = await readContexts();
  if (current !== undefined) return { file: (await findContext(current)).file, workdir };
  throw fail('USAGE', {
    message: 'No cluster file is named, and there is no current context.',
    help: 'kubexm validate cluster -f cluster.yaml',
  });
}

/** The same on a command line: "-c prod", or nothing for the current context. */
export const namedBy = ({ file, clusterName }: Partial<Parameters<typeof placeOf>[0]>): string =>
  clusterName !== undefined ? `-c ${clusterName}` : file !== undefined ? `-f ${file}` : '';

/** What to paste where a call was not confirmed. */
export const confirmed = (command: string, options: Parameters<typeof namedBy>[0]): string =>
  ['kubexm', command, namedBy(options), '--yes'].filter(Boolean).join(' ');
