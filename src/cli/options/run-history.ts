import { clusterOptions, placeOf } from './cluster.ts';
import type { GlobalOptions } from '../command.ts';

/** The options of commands that look at runs of a cluster. */
export const runsOptions = { file: clusterOptions.file, clusterName: clusterOptions.clusterName };

/** The argument that names a run. */
export const runArgument = {
  name: 'ID',
  summary: 'the run: its id, the beginning of one, or latest',
  complete: runIds,
} as const;

/** Where the runs of a cluster are. */
export interface RunsPlace {
  readonly workdir: string;
  readonly cluster: string;
}

export async function runsPlace(
  named: { readonly file: string | undefined; readonly clusterName: string | undefined },
  global: Pick<GlobalOptions, 'workdir'>,
): Promise<RunsPlace> {
  const { file, workdir } = await placeOf(named, global);
  const { clusterNameIn } = await import('../../config/load/load.ts');
  return { workdir, cluster: await clusterNameIn(file) };
}

/** Ids for the shell to complete, of the cluster that the words before name. */
async function runIds(words: readonly string[]): Promise<readonly string[]> {
  const after = (...flags: readonly string[]) => words[words.findIndex((word) => flags.includes(word)) + 1];
  const given = (...flags: readonly string[]) =>
    words.some((word) => flags.includes(word)) ? after(...flags) : undefined;
  const named = { file: given('-f', '--file'), clusterName: given('-c', '--cluster-name') };
  const { runsOf } = await import('../../state/runs.ts');
  try {
    const { workdir, cluster } = await runsPlace(named, { workdir: given('--workdir') ?? '.' });
    return ['latest', ...(await runsOf(workdir, cluster))];
  } catch {
    return ['latest'];
  }
}
