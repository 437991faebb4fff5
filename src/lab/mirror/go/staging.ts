import { readFile } from 'node:fs/promises';
import { at, parseJson, text } from '../../json.ts';

/**
 * The go.mod of Kubernetes requires its libraries at v0.0.0 and replaces them with staging directories of its repository.
 * Building Kubernetes as a dependency needs replace lines to the published modules: k8s.io/api v0.34.4 for v1.34.4.
 */
export async function stagingReplaces(
  require: Readonly<Record<string, string>>,
  go: (args: readonly string[]) => Promise<string>,
): Promise<readonly string[]> {
  const version = require[KUBERNETES];
  if (version === undefined) return [];
  const download = await go(['mod', 'download', '-json', `${KUBERNETES}@${version}`]);
  const goMod = await readFile(text(at(parseJson(download), 'GoMod')), 'utf8');
  return stagingModules(goMod).map((module) => `${module} => ${module} ${libraryVersion(version)}`);
}

/** The modules that the go.mod of Kubernetes replaces with staging directories. */
export const stagingModules = (goMod: string): readonly string[] =>
  [...goMod.matchAll(/^\s*(k8s\.io\/[\w-]+) => \.\/staging\//gm)].map(([, module]) => module ?? '');

/** v1.34.4 -> v0.34.4. */
export const libraryVersion = (version: string) => version.replace(/^v1\./, 'v0.');

const KUBERNETES = 'k8s.io/kubernetes';
