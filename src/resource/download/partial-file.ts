import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { flagOf, numberOf, textOf } from '../../util/json-fields.ts';
import { readJson, writeJson } from '../cache/json-file.ts';

/** An unfinished download, possibly from an earlier process. */
export interface PartialFile {
  readonly path: string;
  readonly size: number;
  readonly origin: PartialOrigin | undefined;
}

/** Metadata of a partial file that is required to resume the download. */
export interface PartialOrigin {
  readonly url: string;
  /** Strong ETag or Last-Modified date; empty if the server sends neither. */
  readonly validator: string;
  /** Size of the complete file; 0 if unknown. */
  readonly total: number;
  /** Whether the bytes came from more than one URL. */
  readonly mixed: boolean;
}

export const partialPath = (cacheFolder: string, key: string) => join(cacheFolder, 'partial', key);

export async function readPartial(path: string): Promise<PartialFile> {
  const [found, json] = await Promise.all([stat(path).catch(() => undefined), readJson(`${path}.json`)]);
  const url = textOf(json, 'url');
  const origin = {
    url,
    validator: textOf(json, 'validator'),
    total: numberOf(json, 'total'),
    mixed: flagOf(json, 'mixed'),
  };
  // A partial download without metadata cannot be resumed.
  return url === '' ? { path, size: 0, origin: undefined } : { path, size: found?.size ?? 0, origin };
}

export const writeOrigin = (path: string, { url, validator, total, mixed }: PartialOrigin): Promise<void> =>
  writeJson(`${path}.json`, { url, validator, total, mixed });

export async function removePartial(path: string): Promise<void> {
  await Promise.all([rm(path, { force: true }), rm(`${path}.json`, { force: true })]);
}
