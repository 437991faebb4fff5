import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../../common/json.ts';
import { at, items, parseJson, text } from '../../json.ts';
import { blobPath } from '../oci/layout.ts';
import type { MirrorPaths } from '../paths.ts';
import type { Found } from './send.ts';

/** What a path of the registry API means: images under their upstream names, host and all, or with `?ns=HOST`. */
export async function findInRegistry(paths: MirrorPaths, url: URL): Promise<Found> {
  const tags = await readTags(paths);
  const path = url.pathname.replace(/^\/v2\/?/, '');
  if (path === '') return json(200, {});
  if (path === '_catalog') return json(200, { repositories: [...tags.keys()].toSorted() });
  const [, given = '', kind = '', reference = ''] = /^(.+)\/(manifests|blobs|tags)\/([^/]+)$/.exec(path) ?? [];
  const name = [`${url.searchParams.get('ns') ?? ''}/${given}`, given].find((one) => tags.has(one));
  if (name === undefined) return unknown('NAME_UNKNOWN', 'no such image here');
  const found = tags.get(name) ?? new Map<string, string>();
  switch (kind) {
    case 'tags':
      return json(200, { name, tags: [...found.keys()] });
    case 'manifests':
      return manifest(paths, name, reference, found.get(reference) ?? reference);
    default:
      return blob(paths, name, reference);
  }
}

/** Tags and digests of every image, by its name. */
async function readTags(paths: MirrorPaths): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const index = parseJson(await readFile(join(paths.images, 'index.json'), 'utf8').catch(() => ''));
  const all = new Map<string, Map<string, string>>();
  for (const image of items(at(index, 'manifests'))) {
    const full = text(at(image, 'annotations', 'org.opencontainers.image.ref.name'));
    const cut = full.lastIndexOf(':');
    const tags = all.get(full.slice(0, cut)) ?? new Map<string, string>();
    all.set(full.slice(0, cut), tags.set(full.slice(cut + 1), text(at(image, 'digest'))));
  }
  return all;
}

async function manifest(paths: MirrorPaths, name: string, reference: string, digest: string): Promise<Found> {
  const found = await stored(paths, digest);
  const type = found && found.size < LARGEST_MANIFEST ? mediaTypeIn(await readFile(found.path, 'utf8')) : '';
  if (!found || type === '') return unknown('MANIFEST_UNKNOWN', `${name} has no ${reference}`);
  const headers = { 'content-type': type, 'docker-content-digest': digest };
  return { type: 'file', name: `v2/${name}/manifests/${reference}`, ...found, headers };
}

async function blob(paths: MirrorPaths, name: string, digest: string): Promise<Found> {
  const found = await stored(paths, digest);
  if (!found) return unknown('BLOB_UNKNOWN', `there is no ${digest}`);
  return { type: 'file', name: `v2/${name}/blobs/${digest}`, ...found, headers: { 'docker-content-digest': digest } };
}

async function stored(paths: MirrorPaths, digest: string) {
  const sha256 = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (sha256 === undefined) return undefined;
  const path = blobPath(paths.images, sha256);
  const found = await stat(path).catch(() => undefined);
  return found && { path, size: found.size, modified: found.mtimeMs };
}

function mediaTypeIn(body: string): string {
  try {
    return text(at(parseJson(body), 'mediaType'));
  } catch {
    return '';
  }
}

const LARGEST_MANIFEST = 4 << 20;

const json = (status: number, body: Json): Found => ({ type: 'json', status, body });
const unknown = (code: string, message: string) => json(404, { errors: [{ code, message }] });
