import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyType, LabOptions } from '../options.ts';
import { run, tryRun } from '../run.ts';

/** An SSH key pair that is accepted by the machines of a lab. */
export interface Key {
  readonly path: string;
  readonly publicKey: string;
  readonly passphrase?: string;
}

/** Creates the missing keys of a lab. The first key has no passphrase, because the lab itself uses it. */
export async function ensureKeys(folder: string, { name, keyTypes, passphrase }: LabOptions): Promise<readonly Key[]> {
  const plain = keyTypes.map((type) => ({ type, path: join(folder, `id_${type}`) }));
  const type = keyTypes.at(-1) ?? 'ed25519';
  const encrypted = passphrase === undefined ? [] : [{ type, path: join(folder, `id_${type}_locked`), passphrase }];
  return Promise.all([...plain, ...encrypted].map((key) => ensureKey(key, `kubexm-lab-${name}`)));
}

interface KeySpec {
  readonly type: KeyType;
  readonly path: string;
  readonly passphrase?: string;
}

async function ensureKey({ type, path, passphrase }: KeySpec, comment: string): Promise<Key> {
  // An interrupted run may have left a truncated key, so check that ssh-keygen can read it.
  const read = await tryRun(['ssh-keygen', '-y', '-P', passphrase ?? '', '-f', path]);
  if (read.exit !== 0) {
    await rm(path, { force: true });
    await run(['ssh-keygen', '-q', '-t', type, '-N', passphrase ?? '', '-C', comment, '-f', path]);
    await chmod(path, 0o600);
  }
  const publicKey = (await readFile(`${path}.pub`, 'utf8')).trim();
  return { path, publicKey, ...(passphrase !== undefined && { passphrase }) };
}
