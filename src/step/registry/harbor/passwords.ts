import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registryFolder } from '../../../common/cluster-files.ts';
import { fail } from '../../../common/errors/errors.ts';
import { Secret } from '../../../common/secret.ts';
import { ensureFolder } from '../../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../../util/write-file.ts';

/** The local folder of harbor.yml and of the generated passwords. */
export const harborFolder = (folder: string) => join(registryFolder(folder), 'harbor');

/** A generated password; undefined if it was not generated yet. */
export async function savedPassword(folder: string, name: 'admin' | 'database'): Promise<Secret | undefined> {
  const text = await readFile(passwordPath(folder, name), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw fail('FILE_UNREADABLE', { path: passwordPath(folder, name), reason: String(error) }, error);
  });
  return text === undefined || text.trim() === '' ? undefined : new Secret(text.trim());
}

/** The generated password; generates it if necessary. It never changes, because Harbor reads it only at its first start. */
export async function ensurePassword(folder: string, name: 'admin' | 'database'): Promise<Secret> {
  const known = await savedPassword(folder, name);
  if (known) return known;
  // Harbor requires an uppercase letter, a lowercase letter and a digit.
  const generated = new Secret(`Aa1${randomBytes(18).toString('base64url')}`);
  await ensureFolder(harborFolder(folder), 0o700);
  await writeFileAtomically(passwordPath(folder, name), `${generated.reveal()}\n`, 0o600);
  return generated;
}

export const passwordPath = (folder: string, name: 'admin' | 'database') =>
  join(harborFolder(folder), `${name}-password`);
