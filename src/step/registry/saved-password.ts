import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { registryFolder } from '../../common/cluster-files.ts';
import { fail } from '../../common/errors/errors.ts';
import { Secret } from '../../common/secret.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../util/write-file.ts';

/** The generated password of the registry in the cluster's folder on this machine. */
export const registryPasswordPath = (folder: string): string => join(registryFolder(folder), 'password');

/** A generated password; undefined if it was not generated yet. */
export async function savedPassword(path: string): Promise<Secret | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw fail('FILE_UNREADABLE', { path, reason: String(error) }, error);
  });
  return text === undefined || text.trim() === '' ? undefined : new Secret(text.trim());
}

/** The generated password; generates it if necessary. It never changes, because hosts and Harbor keep it. */
export async function ensurePassword(path: string): Promise<Secret> {
  const known = await savedPassword(path);
  if (known) return known;
  // Harbor requires an uppercase letter, a lowercase letter and a digit.
  const generated = new Secret(`Aa1${randomBytes(18).toString('base64url')}`);
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, `${generated.reveal()}\n`, 0o600);
  return generated;
}
