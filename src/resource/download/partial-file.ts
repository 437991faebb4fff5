import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { flagOf, numberOf, textOf } from '../../util/json-fields.ts';
import { readJson, writeJson } from '../cache/json-file.ts';

/** A download that has begun, maybe by a process that is gone. */
export interface Partial {
  readonly path: string;
  /** Bytes that are there. */
  readonly size: number;
  readonly origin: Origin | undefined;
}

/** Where the bytes of a partial file came from. */
export interface Origin {
  readonly url: string;
  /** An ETag or date that changes with the content; empty where the server tells none. */
  readonly validator: string;
  /** Of the whole; 0 when unknown. */
  readonly total: number;
  /** Its bytes came from more than one place. */
  readonly mixed: boolean;
}

export const partialPath = (cacheFolder: string, key: string) => join(cacheFolder, 'partial', key);

export async function readPartial(path: string): Promise<Partial> {
  const [found, json] = await Promise.all([stat(path).catch(() => undefined), readJson(`${path}.json`)]);
  const url = textOf(json, 'url');
  const origin = {
    url,
    validator: textOf(json, 'validator'),
    total: numberOf(json, 'total'),
    mixed: flagOf(json, 'mixed'),
  };
  // Bytes of unknown origin cannot be gone on with.
  return url === '' ? { path, size: 0, origin: undefined } : { path, size: found?.size ?? 0, origin };
}

export const writeOrigin = (path: string, { url, validator, total, mixed }: Origin): Promise<void> =>
  writeJson(`${path}.json`, { url, validator, total, mixed });

export async function dropPartial(path: string): Promise<void> {
  await Promise.all([rm(path, { force: true }), rm(`${path}.json`, { force: true })]);
}
