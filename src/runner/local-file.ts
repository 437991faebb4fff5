import { stat } from 'node:fs/promises';
import { readFrom, sha256Of } from '../connector/upload-source.ts';
import type { UploadSource } from './runner.ts';

/** A local file as an upload source; undefined if it does not exist. */
export async function localFile(path: string): Promise<UploadSource | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found && verifiedFile({ path, size: found.size, sha256: await sha256Of(path) });
}

/** A local file whose checksum is known, as an upload source. Many hosts may read it at once. */
export const verifiedFile = ({
  path,
  size,
  sha256,
}: {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}): UploadSource => ({ size, sha256, open: (offset) => readFrom(path, offset) });
