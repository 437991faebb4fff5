import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../common/errors/errors.ts';
import { Secret } from '../../../common/secret.ts';
import { ensureFolder } from '../../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../../util/write-file.ts';

/** Passwords that harbor was given because the file has none; below the folder of the cluster. */
export const harborFolder = (folder: string) => join(folder, 'registry', 'harbor');

/** A password that we made; undefined until it is. */
export async function savedPassword(folder: string, name: 'admin' | 'database'): Promise<Secret | undefined> {
  const text = await readFile(passwordPath(folder, name), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw fail('FILE_UNREADABLE', { path: passwordPath(folder, name), reason: String(error) }, error);
  });
  return text === undefined || text.trim() === '' ? undefined : new Secret(text.trim());
}

/** The password that was made, or a new one. It stays: harbor takes it only when it is first started. */
export async function ensurePassword(folder: string, name: 'admin' | 'database'): Promise<Secret> {
  const known = await savedPassword(folder, name);
  if (known) return known;
  // Harbor wants letters of both kinds and a digit.
  const made = new Secret(`Aa1${randomBytes(18).toString('base64url')}`);
  await ensureFolder(harborFolder(folder), 0o700);
  await writeFileAtomically(passwordPath(folder, name), `${made.reveal()}\n`, 0o600);
  return made;
}

export const passwordPath = (folder: string, name: 'admin' | 'database') =>
  join(harborFolder(folder), `${name}-password`);
