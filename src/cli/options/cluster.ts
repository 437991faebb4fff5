import { fail } from '../../common/errors/errors.ts';
import type { GlobalOptions, OptionSpec } from '../command.ts';

/** Options for commands that read a cluster file. */
export const clusterOptions = {
  file: { type: 'text', short: 'f', value: 'FILE', summary: 'cluster file (default: from the current context)' },
  clusterName: { type: 'text', short: 'c', value: 'NAME', summary: 'use the cluster of this context' },
  extraVars: {
    type: 'list',
    short: 'e',
    value: 'KEY=VALUE',
    summary: 'override a field in the cluster file (repeatable)',
  },
} as const satisfies Record<string, OptionSpec>;

/** Options for commands that log in to hosts. */
export const loginOptions = {
  sshUser: { type: 'text', value: 'USER', summary: 'log in to all hosts as this user' },
  sshPrivateKey: { type: 'text', short: 'i', value: 'FILE', summary: 'log in to all hosts with this private key' },
  hostKeys: {
    type: 'choice',
    choices: ['tofu', 'strict'],
    summary: 'trust unknown SSH host keys on first use (tofu) or reject them (strict); same as KUBEXM_HOST_KEYS',
  },
} as const satisfies Record<string, OptionSpec>;

/** The flags that select a cluster. */
export interface ClusterFlags {
  readonly file: string | undefined;
  readonly clusterName: string | undefined;
}

/** The path of a cluster file, and the working directory that contains .kubexm. */
export interface ClusterLocation {
  readonly file: string;
  readonly workdir: string;
}

/** Resolves -f, -c or the current context. --workdir overrides the working directory of a context. */
export async function locateCluster(
  { file, clusterName }: ClusterFlags,
  { workdir }: Pick<GlobalOptions, 'workdir'>,
): Promise<ClusterLocation> {
  if (file !== undefined && clusterName !== undefined)
    throw fail('USAGE', { message: '-f and -c cannot be used together.', help: 'Use only one of them.' });
  if (file !== undefined) return { file, workdir };
  const { currentContext, findContext, readContexts } = await import('../../state/contexts.ts');
  const context = clusterName === undefined ? await currentContext() : await findContext(clusterName);
  if (context) return { file: context.file, workdir: workdir === '.' ? context.workdir : workdir };
  const { current } = await readContexts();
  if (current !== undefined) return { file: (await findContext(current)).file, workdir };
  throw fail('USAGE', {
    message: 'No cluster file was specified and there is no current context.',
    help: 'kubexm validate cluster -f cluster.yaml',
  });
}

/**
 * Returns the flag that selects the same cluster in another command, such as "-c prod", or nothing for the current
 * context.
 */
export const clusterFlag = ({ file, clusterName }: Partial<ClusterFlags>): string =>
  clusterName !== undefined ? `-c ${clusterName}` : file !== undefined ? `-f ${file}` : '';

/** Returns the flags that select a cluster from the words of an unfinished command line, for completion. */
export function typedFlags(words: readonly string[]): { readonly flags: ClusterFlags; readonly workdir: string } {
  const valueOf = (...flags: readonly string[]) => {
    const index = words.findIndex((word) => flags.includes(word));
    return index < 0 ? undefined : words[index + 1];
  };
  return {
    flags: { file: valueOf('-f', '--file'), clusterName: valueOf('-c', '--cluster-name') },
    workdir: valueOf('--workdir') ?? '.',
  };
}

/** Completes context names. */
export async function contextNames(): Promise<readonly string[]> {
  const { readContexts } = await import('../../state/contexts.ts');
  return (await readContexts()).contexts.map(({ name }) => name);
}
