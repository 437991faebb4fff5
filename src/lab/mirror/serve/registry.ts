import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../../common/json.ts';
import { at, items, parseJson, text } from '../../json.ts';
import { blobPath } from '../oci/layout.ts';
import type { MirrorPaths } from '../paths.ts';
import type { MirrorResponse } from './send.ts';

/** Handles a registry API path. Images have their upstream names including the host, or the host comes in `?ns=HOST`. */
export async function findInRegistry(paths: MirrorPaths, url: URL): Promise<MirrorResponse> {
  const tags = await readTags(paths);
  const path = url.pathname.replace(/^\/v2\/?/, '');
  if (path === '') return json(200, {});
  if (path === '_catalog') return json(200, { repositories: [...tags.keys()].toSorted() });
  const [, given = '', kind = '', reference = ''] = /^(.+)\/(manifests|blobs|tags)\/([^/]+)$/.exec(path) ?? [];
  const name = [`${url.searchParams.get('ns') ?? ''}/${given}`, given].find((one) => tags.has(one));
  if (name === undefined) return unknown('NAME_UNKNOWN', 'image not found in this mirror');
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

/** The digest of every tag, by image name. */
async function readTags(paths: MirrorPaths): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const index = parseJson(await readFile(join(paths.images, 'index.json'), 'utf8').catch(() => ''));
  const all = new Map<string, Map<string, string>>();
  for (const image of items(at(index, 'manifests'))) {
    const reference = text(at(image, 'annotations', 'org.opencontainers.image.ref.name'));
    const colon = reference.lastIndexOf(':');
    const tags = all.get(reference.slice(0, colon)) ?? new Map<string, string>();
    all.set(reference.slice(0, colon), tags.set(reference.slice(colon + 1), text(at(image, 'digest'))));
  }
  return all;
}

async function manifest(paths: MirrorPaths, name: string, reference: string, digest: string): Promise<MirrorResponse> {
  const found = await findBlob(paths, digest);
  const type = found && found.size < MAX_MANIFEST_BYTES ? mediaTypeIn(await readFile(found.path, 'utf8')) : '';
  if (!found || type === '') return unknown('MANIFEST_UNKNOWN', `${name} has no manifest ${reference}`);
  const headers = { 'content-type': type, 'docker-content-digest': digest };
  return { type: 'file', name: `v2/${name}/manifests/${reference}`, ...found, headers };
}

async function blob(paths: MirrorPaths, name: string, digest: string): Promise<MirrorResponse> {
  const found = await findBlob(paths, digest);
  if (!found) return unknown('BLOB_UNKNOWN', `blob ${digest} not found`);
  return { type: 'file', name: `v2/${name}/blobs/${digest}`, ...found, headers: { 'docker-content-digest': digest } };
}

async function findBlob(paths: MirrorPaths, digest: string) {
  const sha256 = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (sha256 === undefined) return undefined;
  const path = blobPath(paths.images, sha256);
  const stats = await stat(path).catch(() => undefined);
  return stats && { path, size: stats.size, modified: stats.mtimeMs };
}

function mediaTypeIn(body: string): string {
  try {
    return text(at(parseJson(body), 'mediaType'));
  } catch {
    return '';
  }
}

const MAX_MANIFEST_BYTES = 4 << 20;

const json = (status: number, body: Json): MirrorResponse => ({ type: 'json', status, body });
const unknown = (code: string, message: string) => json(404, { errors: [{ code, message }] });
