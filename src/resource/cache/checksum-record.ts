import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { numberOf, textOf } from '../../util/json-fields.ts';
import { readJson, writeJson } from './json-file.ts';

/** A recorded checksum of the file at a URL. */
export interface ChecksumRecord {
  readonly sha256: string;
  /** Origin of the checksum. */
  readonly from: string;
  /** Size in bytes; 0 until the file has been downloaded. */
  readonly size: number;
}

const recordPath = (cacheFolder: string, url: string) =>
  join(cacheFolder, 'sums', `${createHash('sha256').update(url).digest('hex')}.json`);

export async function readChecksumRecord(cacheFolder: string, url: string): Promise<ChecksumRecord | undefined> {
  const json = await readJson(recordPath(cacheFolder, url));
  const sha256 = textOf(json, 'sha256');
  return /^[0-9a-f]{64}$/.test(sha256) && textOf(json, 'url') === url
    ? { sha256, from: textOf(json, 'from'), size: numberOf(json, 'size') }
    : undefined;
}

export const writeChecksumRecord = (
  cacheFolder: string,
  url: string,
  { sha256, from, size }: ChecksumRecord,
): Promise<void> => writeJson(recordPath(cacheFolder, url), { url, sha256, from, size });
