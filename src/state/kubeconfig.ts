import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isSeq, parseDocument, type Document, type YAMLMap } from 'yaml';
import { kubeconfigFile } from '../common/cluster-files.ts';
import { fail } from '../common/errors/errors.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { writeFileAtomically } from '../util/write-file.ts';
import { clusterFolder } from './runs.ts';

/** The kubeconfig that kubectl writes to: the first file in KUBECONFIG, or ~/.kube/config. */
export const userKubeconfig = (env: NodeJS.ProcessEnv = process.env): string =>
  env['KUBECONFIG']?.split(delimiter).find(Boolean) ?? join(homedir(), '.kube', 'config');

/** A cluster whose kubeconfig is in a local working directory. */
export interface LocalCluster {
  readonly workdir: string;
  readonly name: string;
}

/** Merges the context of a cluster into a kubeconfig and makes it current; false if it was up to date. */
export async function mergeKubeconfig({ workdir, name }: LocalCluster, path: string): Promise<boolean> {
  const own = ownFile(workdir, name);
  const text = await readFile(own, 'utf8').catch(() => undefined);
  if (text === undefined) throw fail('KUBECONFIG_MISSING', { path: own, cluster: name });
  const source = parseDocument(text);
  const target = await readDocument(path);
  const before = target.toString();
  if (!isOwned(target, name, own)) checkConflicts(source, target, { path, own });
  for (const [list] of LISTS) for (const entry of entriesOf(source, list)) put(target, list, entry.toJS(source));
  target.setIn(
    ['contexts', indexOf(target, 'contexts', name), 'context', 'extensions'],
    target.createNode([ownerExtension(own)]),
  );
  target.set('current-context', name);
  if (target.toString() === before) return false;
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, target.toString(), 0o600);
  return true;
}

/** Removes a merged context with its cluster and user; false if kubexm did not add it. */
export async function unmergeKubeconfig({ workdir, name }: LocalCluster, path: string): Promise<boolean> {
  const target = await readDocument(path);
  if (!isOwned(target, name, ownFile(workdir, name))) return false;
  const { cluster, user } = findEntry(target, 'contexts', name)?.toJS(target).context ?? {};
  remove(target, 'contexts', name);
  const isUsed = (key: string, value: unknown) =>
    entriesOf(target, 'contexts').some((each) => each.toJS(target).context?.[key] === value);
  if (!isUsed('cluster', cluster)) remove(target, 'clusters', cluster);
  if (!isUsed('user', user)) remove(target, 'users', user);
  if (target.get('current-context') === name) target.set('current-context', '');
  await writeFileAtomically(path, target.toString(), 0o600);
  return true;
}

const ownFile = (workdir: string, name: string) => resolve(kubeconfigFile(clusterFolder(workdir, name)));

const LISTS = [
  ['clusters', 'cluster'],
  ['users', 'user'],
  ['contexts', 'context'],
] as const;

/** Marks a context with the file it came from; kubectl preserves extensions. */
const ownerExtension = (own: string) => ({ name: EXTENSION, extension: { file: own } });
const EXTENSION = 'kubexm.mensylisir.io';

/** Throws if the kubeconfig has other entries under the same names. */
function checkConflicts(source: Document, target: Document, files: { readonly path: string; readonly own: string }) {
  for (const [list, key] of LISTS) {
    const entry = entriesOf(source, list)[0];
    const existing = entry && findEntry(target, list, nameOf(entry));
    if (existing && !isDeepStrictEqual(existing.toJS(target)[key], entry.toJS(source)[key]))
      throw fail('KUBECONFIG_TAKEN', { ...files, name: nameOf(entry), list });
  }
}

const isOwned = (target: Document, name: string, own: string): boolean =>
  isDeepStrictEqual(findEntry(target, 'contexts', name)?.toJS(target).context?.extensions, [ownerExtension(own)]);

/** Parsed as a YAML document, which keeps comments and order. */
async function readDocument(path: string): Promise<Document> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return EMPTY;
    throw fail('FILE_UNREADABLE', { path, reason: error.message }, error);
  });
  const document = parseDocument(text.trim() === '' ? EMPTY : text);
  if (document.errors.length > 0 || !isMap(document.contents)) throw fail('KUBECONFIG_INVALID', { path });
  return document;
}

const EMPTY = 'apiVersion: v1\nkind: Config\n';

type Entry = YAMLMap;

function entriesOf(document: Document, list: string): readonly Entry[] {
  const found = document.get(list);
  return isSeq(found) ? found.items.filter((item): item is Entry => isMap(item)) : [];
}

const nameOf = (entry: Entry) => String(entry.get('name'));

const findEntry = (document: Document, list: string, name: string): Entry | undefined =>
  entriesOf(document, list).find((entry) => nameOf(entry) === name);

const indexOf = (document: Document, list: string, name: string) =>
  entriesOf(document, list).findIndex((entry) => nameOf(entry) === name);

function put(document: Document, list: string, entry: { readonly name: string }): void {
  const index = indexOf(document, list, entry.name);
  if (index >= 0) document.setIn([list, index], document.createNode(entry));
  else if (isSeq(document.get(list))) document.addIn([list], document.createNode(entry));
  else document.set(list, document.createNode([entry]));
}

function remove(document: Document, list: string, name: string): void {
  const index = indexOf(document, list, name);
  if (index >= 0) document.deleteIn([list, index]);
}
