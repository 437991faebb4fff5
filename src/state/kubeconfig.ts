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

/** Where kubectl of this user looks first: the first file of KUBECONFIG, or ~/.kube/config. */
export const userKubeconfig = (env: NodeJS.ProcessEnv = process.env): string =>
  env['KUBECONFIG']?.split(delimiter).find(Boolean) ?? join(homedir(), '.kube', 'config');

/** A cluster whose kubeconfig is kept here. */
export interface LocalCluster {
  readonly workdir: string;
  readonly name: string;
}

/** Puts the context of a cluster into a kubeconfig and makes it the current one; all others stay. False when it was there. */
export async function mergeKubeconfig({ workdir, name }: LocalCluster, path: string): Promise<boolean> {
  const own = ownFile(workdir, name);
  const text = await readFile(own, 'utf8').catch(() => undefined);
  if (text === undefined) throw fail('KUBECONFIG_MISSING', { path: own, cluster: name });
  const added = parseDocument(text);
  const target = await documentAt(path);
  const before = target.toString();
  const ours = isOurs(target, name, own);
  for (const [list, key] of LISTS) {
    const entry = entriesOf(added, list)[0];
    const there = entry && namedIn(target, list, nameOf(entry));
    if (there && !ours && !isDeepStrictEqual(there.toJS(target)[key], entry.toJS(added)[key]))
      throw fail('KUBECONFIG_TAKEN', { path, name: nameOf(entry), list, own });
  }
  for (const [list] of LISTS) for (const entry of entriesOf(added, list)) put(target, list, entry.toJS(added));
  target.setIn(
    ['contexts', placeOf(target, 'contexts', name), 'context', 'extensions'],
    target.createNode([markOf(own)]),
  );
  target.set('current-context', name);
  if (target.toString() === before) return false;
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, target.toString(), 0o600);
  return true;
}

/** Takes out what was merged, if it is still ours. False when it was not there. */
export async function unmergeKubeconfig({ workdir, name }: LocalCluster, path: string): Promise<boolean> {
  const target = await documentAt(path);
  if (!isOurs(target, name, ownFile(workdir, name))) return false;
  const { cluster, user } = namedIn(target, 'contexts', name)?.toJS(target).context ?? {};
  remove(target, 'contexts', name);
  const still = (key: string, value: unknown) =>
    entriesOf(target, 'contexts').some((each) => each.toJS(target).context?.[key] === value);
  if (!still('cluster', cluster)) remove(target, 'clusters', cluster);
  if (!still('user', user)) remove(target, 'users', user);
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

/** Tells whose a context is, by the file that it came from; kubectl leaves such marks alone. */
const markOf = (own: string) => ({ name: MARK, extension: { file: own } });
const MARK = 'kubexm.mensylisir.io';

const isOurs = (target: Document, name: string, own: string): boolean =>
  isDeepStrictEqual(namedIn(target, 'contexts', name)?.toJS(target).context?.extensions, [markOf(own)]);

/** Comments and the order of what is there stay. */
async function documentAt(path: string): Promise<Document> {
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

const namedIn = (document: Document, list: string, name: string): Entry | undefined =>
  entriesOf(document, list).find((entry) => nameOf(entry) === name);

const placeOf = (document: Document, list: string, name: string) =>
  entriesOf(document, list).findIndex((entry) => nameOf(entry) === name);

function put(document: Document, list: string, entry: { readonly name: string }): void {
  const place = placeOf(document, list, entry.name);
  if (place >= 0) document.setIn([list, place], document.createNode(entry));
  else if (isSeq(document.get(list))) document.addIn([list], document.createNode(entry));
  else document.set(list, document.createNode([entry]));
}

function remove(document: Document, list: string, name: string): void {
  const place = placeOf(document, list, name);
  if (place >= 0) document.deleteIn([list, place]);
}
