import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyType, LabOptions } from '../options.ts';
import { run, tryRun } from '../run.ts';

/** A pair of keys that opens the machines of a lab. */
export interface Key {
  readonly path: string;
  readonly publicKey: string;
  readonly passphrase?: string;
}

/** Makes the keys of a lab unless they are there. The first one is never protected: the lab itself uses it. */
export async function ensureKeys(folder: string, { name, keyTypes, passphrase }: LabOptions): Promise<readonly Key[]> {
  const open = keyTypes.map((type) => ({ type, path: join(folder, `id_${type}`) }));
  const type = keyTypes.at(-1) ?? 'ed25519';
  const locked = passphrase === undefined ? [] : [{ type, path: join(folder, `id_${type}_locked`), passphrase }];
  return Promise.all([...open, ...locked].map((key) => ensureKey(key, `kubexm-lab-${name}`)));
}

interface Wanted {
  readonly type: KeyType;
  readonly path: string;
  readonly passphrase?: string;
}

async function ensureKey({ type, path, passphrase }: Wanted, comment: string): Promise<Key> {
  // Reading it proves that it is whole: a call that was stopped may have left half a key.
  const whole = await tryRun(['ssh-keygen', '-y', '-P', passphrase ?? '', '-f', path]);
  if (whole.exit !== 0) {
    await rm(path, { force: true });
    await run(['ssh-keygen', '-q', '-t', type, '-N', passphrase ?? '', '-C', comment, '-f', path]);
    await chmod(path, 0o600);
  }
  const publicKey = (await readFile(`${path}.pub`, 'utf8')).trim();
  return { path, publicKey, ...(passphrase !== undefined && { passphrase }) };
}
