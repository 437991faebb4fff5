import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { kubexmHome } from '../../common/home.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { withLock } from '../../util/process-lock.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { fingerprint, publicKeyOf } from './sign.ts';

const folder = () => join(kubexmHome(), 'keys');

/** Returns the key that signs bundles created on this machine. Creates the key on first use. */
export async function signingKey(): Promise<KeyObject> {
  const path = join(folder(), 'bundle.pem');
  return withLock('bundle-key', async () => {
    const existing = await readPrivateKey(path);
    if (existing) return existing;
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await ensureFolder(folder(), 0o700);
    await writeFileAtomically(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
    await writeFileAtomically(join(folder(), 'bundle.pub.pem'), pemOf(publicKey), 0o644);
    return privateKey;
  });
}

/** Returns the signing key, or undefined if it has not been created yet. */
export const existingSigningKey = (): Promise<KeyObject | undefined> => readPrivateKey(join(folder(), 'bundle.pem'));

/**
 * Reads the private key. Fails if the key is unreadable, because recipients trust the existing key and it must not be
 * replaced.
 */
async function readPrivateKey(path: string): Promise<KeyObject | undefined> {
  try {
    return createPrivateKey(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw fail('FILE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

/** Records a key as trusted, so that bundles signed with it are accepted. */
export async function trustKey(key: KeyObject): Promise<void> {
  await ensureFolder(trustedFolder(), 0o700);
  const name = fingerprint(key).replaceAll(/[^\w]/g, '_');
  await writeFileAtomically(join(trustedFolder(), `${name}.pem`), pemOf(key), 0o644);
}

/** Returns whether the key belongs to this machine or has been trusted before. */
export async function isTrusted(key: KeyObject): Promise<boolean> {
  const names = await readdir(trustedFolder()).catch(() => []);
  const paths = [join(folder(), 'bundle.pub.pem'), ...names.map((name) => join(trustedFolder(), name))];
  const known = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
  return known.includes(pemOf(key));
}

/** Returns whether the key matches a fingerprint or a public key file. */
export async function matchesKey(key: KeyObject, expected: string): Promise<boolean> {
  if (expected.startsWith('SHA256:')) return fingerprint(key) === expected.replace(/=+$/, '');
  const pem = await readFile(expected, 'utf8').catch((error: unknown) => {
    throw fail('FILE_NOT_FOUND', { path: expected }, error);
  });
  try {
    return fingerprint(createPublicKey(pem)) === fingerprint(key);
  } catch (error) {
    throw fail('FILE_UNREADABLE', { path: expected, reason: 'it is not a PEM public key' }, error);
  }
}

const trustedFolder = () => join(folder(), 'trusted');
const pemOf = (key: KeyObject) => publicKeyOf(key).export({ type: 'spki', format: 'pem' }).toString();
