import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { kubexmHome } from '../../common/home.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { withLock } from '../../util/lock.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { fingerprint, publicOf } from './sign.ts';

const folder = () => join(kubexmHome(), 'keys');

/** The key that bundles made here are signed with; made when it is first needed. */
export async function signingKey(): Promise<KeyObject> {
  const path = join(folder(), 'bundle.pem');
  return withLock('bundle-key', async () => {
    const there = await knownKey(path);
    if (there) return there;
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await ensureFolder(folder(), 0o700);
    await writeFileAtomically(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
    await writeFileAtomically(join(folder(), 'bundle.pub.pem'), pemOf(publicKey), 0o644);
    return privateKey;
  });
}

/** The same, undefined until it is made. Only looks. */
export const knownSigningKey = (): Promise<KeyObject | undefined> => knownKey(join(folder(), 'bundle.pem'));

/** One that cannot be read is never made anew: whoever trusts it would trust us no more. */
async function knownKey(path: string): Promise<KeyObject | undefined> {
  try {
    return createPrivateKey(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw fail('FILE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

/** From now on bundles of this key are taken. */
export async function trustKey(key: KeyObject): Promise<void> {
  await ensureFolder(trustedFolder(), 0o700);
  const name = fingerprint(key).replaceAll(/[^\w]/g, '_');
  await writeFileAtomically(join(trustedFolder(), `${name}.pem`), pemOf(key), 0o644);
}

/** Whether the key is this machine's own, or was trusted before. */
export async function isTrusted(key: KeyObject): Promise<boolean> {
  const names = await readdir(trustedFolder()).catch(() => []);
  const paths = [join(folder(), 'bundle.pub.pem'), ...names.map((name) => join(trustedFolder(), name))];
  const known = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
  return known.includes(pemOf(key));
}

/** Whether the key is the one that somebody named: by its fingerprint, or by a file that has it. */
export async function isKey(key: KeyObject, named: string): Promise<boolean> {
  if (named.startsWith('SHA256:')) return fingerprint(key) === named.replace(/=+$/, '');
  const pem = await readFile(named, 'utf8').catch((error: unknown) => {
    throw fail('FILE_NOT_FOUND', { path: named }, error);
  });
  try {
    return fingerprint(createPublicKey(pem)) === fingerprint(key);
  } catch (error) {
    throw fail('FILE_UNREADABLE', { path: named, reason: 'it is no public key in PEM' }, error);
  }
}

const trustedFolder = () => join(folder(), 'trusted');
const pemOf = (key: KeyObject) => publicOf(key).export({ type: 'spki', format: 'pem' }).toString();
