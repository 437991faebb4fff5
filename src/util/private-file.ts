import { readFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { fail, KubexmError } from '../common/errors/errors.ts';
import { writeFileAtomically } from './write-file.ts';

/** Encrypts and decrypts the private files of a cluster. */
export interface FileCipher {
  encrypt(text: string): Promise<Uint8Array>;
  decrypt(file: Uint8Array): Promise<string>;
}

/** Ciphers by folder. They are registered once and not passed around: dozens of steps read and write keys. */
const ciphers = new Map<string, FileCipher>();

/** From now on, private files below this folder are encrypted when they are written, and decrypted when they are read. */
export const encryptFilesIn = (folder: string, cipher: FileCipher): void => void ciphers.set(resolve(folder), cipher);

const cipherOf = (path: string): FileCipher | undefined =>
  [...ciphers].find(([folder]) => resolve(path).startsWith(`${folder}${sep}`))?.[1];

/** The text of a local file, decrypted if necessary; undefined if it does not exist. An unreadable file is an error. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw fail('FILE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  });
  return bytes && (isEncrypted(bytes) ? decrypted(path, bytes) : bytes.toString('utf8'));
}

/** Writes a file that only its owner can read, encrypted if the keys of its cluster are. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFileAtomically(path, (await cipherOf(path)?.encrypt(text)) ?? text, 0o600);
}

/** Encrypts a file that was written in plain text; false if it is encrypted already. */
export async function encryptFile(path: string): Promise<boolean> {
  const bytes = await readFile(path);
  if (isEncrypted(bytes)) return false;
  await writePrivateFile(path, bytes.toString('utf8'));
  return true;
}

/** The first line of every file in the age format. */
const HEADER = 'age-encryption.org/v1\n';

export const isEncrypted = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, HEADER.length)).toString('latin1') === HEADER;

async function decrypted(path: string, bytes: Uint8Array): Promise<string> {
  const cipher = cipherOf(path);
  if (!cipher)
    throw fail('KEY_ENCRYPTED', { path, reason: 'neither the cluster file nor the environment sets a decryption key' });
  try {
    return await cipher.decrypt(bytes);
  } catch (error) {
    if (error instanceof KubexmError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw fail('KEY_ENCRYPTED', { path, reason: `it was encrypted for another key (${reason})` }, error);
  }
}
