import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { Secret } from '../common/secret.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { encryptFile, type FileCipher } from '../util/private-file.ts';
import { writeFileAtomically } from '../util/write-file.ts';

/** What protects the private keys of a cluster on this machine. */
export type KeyProtection =
  | { readonly type: 'passphrase'; readonly passphrase: Secret }
  /** The content of an age identity file. */
  | { readonly type: 'age-identity'; readonly identity: Secret };

/**
 * A cipher in the age format, so that `age --decrypt` can read the files, too. A passphrase protects an identity that is
 * stored next to the certificates, because deriving a key from a passphrase for each file would take seconds each time.
 * `protection` is called on first use.
 */
export function ageCipher(folder: string, protection: () => Promise<KeyProtection>): FileCipher {
  let opened: Promise<string> | undefined;
  const identity = () => (opened ??= protection().then((given) => identityOf(folder, given)));
  // Prechecks read the same files again and again.
  const known = new Map<string, string>();
  const digestOf = (file: Uint8Array) => createHash('sha256').update(file).digest('hex');
  return Object.freeze<FileCipher>({
    async encrypt(text) {
      const { Encrypter, identityToRecipient } = await loadAge();
      const encrypter = new Encrypter();
      encrypter.addRecipient(await identityToRecipient(await identity()));
      const file = await encrypter.encrypt(text);
      known.set(digestOf(file), text);
      return file;
    },
    async decrypt(file) {
      const found = known.get(digestOf(file));
      if (found !== undefined) return found;
      const { Decrypter } = await loadAge();
      const decrypter = new Decrypter();
      decrypter.addIdentity(await identity());
      const text = await decrypter.decrypt(file, 'text');
      known.set(digestOf(file), text);
      return text;
    },
  });
}

/** Loaded on demand: most clusters do not need it. */
const loadAge = () => import('age-encryption');

async function identityOf(folder: string, protection: KeyProtection): Promise<string> {
  switch (protection.type) {
    case 'passphrase':
      return protectedIdentity(join(folder, 'identity.age'), protection.passphrase);
    case 'age-identity': {
      const [identity] = /^AGE-SECRET-KEY-1[0-9A-Z]+$/m.exec(protection.identity.reveal()) ?? [];
      if (identity === undefined) throw fail('KEY_ENCRYPTED', { path: folder, reason: 'the age identity is invalid' });
      return new Secret(identity).reveal();
    }
  }
}

async function protectedIdentity(path: string, passphrase: Secret): Promise<string> {
  const { Decrypter, Encrypter, generateX25519Identity } = await loadAge();
  const file = await readFile(path).catch(() => undefined);
  if (file) {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase.reveal());
    return decrypter.decrypt(file, 'text').catch((error: unknown) => {
      throw fail('KEY_ENCRYPTED', { path, reason: 'the passphrase is wrong' }, error);
    });
  }
  const identity = new Secret(await generateX25519Identity()).reveal();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase.reveal());
  await ensureFolder(dirname(path), 0o700);
  await writeFileAtomically(path, await encrypter.encrypt(identity), 0o600);
  return identity;
}

/** Encrypts the private keys in a folder that were written before encryption was configured. */
export async function encryptKeysIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile() && PRIVATE.test(entry.name)))
    await encryptFile(join(parentPath, name));
}

/** Private keys, kubeconfigs, which contain them, and the encryption key of Secrets. */
const PRIVATE = /\.(key|conf)$|^encryption\.yaml$/;
