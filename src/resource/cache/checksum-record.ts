import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { numberOf, textOf } from '../../util/json-fields.ts';
import { readJson, writeJson } from './json-file.ts';

/** What was once found out about a URL. */
export interface Remembered {
  readonly sha256: string;
  /** Who told the sum. */
  readonly from: string;
  /** 0 until it was downloaded. */
  readonly size: number;
}

/** Sums and sizes by URL, so that each is asked for once. */
export const rememberedPath = (cacheFolder: string, url: string) =>
  join(cacheFolder, 'sums', `${createHash('sha256').update(url).digest('hex')}.json`);

export async function recall(cacheFolder: string, url: string): Promise<Remembered | undefined> {
  const json = await readJson(rememberedPath(cacheFolder, url));
  const sha256 = textOf(json, 'sha256');
  return /^[0-9a-f]{64}$/.test(sha256) && textOf(json, 'url') === url
    ? { sha256, from: textOf(json, 'from'), size: numberOf(json, 'size') }
    : undefined;
}

export const memorise = (cacheFolder: string, url: string, { sha256, from, size }: Remembered): Promise<void> =>
  writeJson(rememberedPath(cacheFolder, url), { url, sha256, from, size });
