import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors/errors.ts';

/** A known host key and its line in the file. */
export interface KnownKey {
  /** "ssh-ed25519 AAAA…" */
  readonly key: string;
  readonly line: number;
}

/** The host keys of one cluster, in a known_hosts file that ssh can also read. */
export interface KnownHosts {
  readonly path: string;
  find(name: string): Promise<KnownKey | undefined>;
  /** Adds the key of an unknown host; returns the key that is then known for the host. */
  trust(name: string, key: string): Promise<KnownKey>;
}

/** Opens a known_hosts file; it is created with the first key. */
export function knownHosts(path: string): KnownHosts {
  // Writes are serialized: concurrent ones would lose each other's lines.
  let last: Promise<unknown> = Promise.resolve();
  const find = async (name: string) => findKey(await read(path), name);
  return Object.freeze({
    path,
    find,
    trust(name: string, key: string) {
      const next = last.then(async () => {
        const text = await read(path);
        const known = findKey(text, name);
        if (known) return known;
        const extended = `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${name} ${key}\n`;
        await write(path, extended);
        return findKey(extended, name) ?? { key, line: 0 };
      });
      last = next.catch(() => {});
      return next;
    },
  });
}

/** Finds the key of a host in the text of a known_hosts file. */
export function findKey(text: string, name: string): KnownKey | undefined {
  for (const [index, line] of text.split('\n').entries()) {
    const [names = '', type = '', key = ''] = line.trim().split(/\s+/);
    if (!names.startsWith('#') && key !== '' && names.split(',').includes(name)) {
      return { key: `${type} ${key}`, line: index + 1 };
    }
  }
  return undefined;
}

/** Formats a key from the SSH protocol as in known_hosts. */
export function keyText(raw: Buffer): string {
  const length = raw.readUInt32BE(0);
  return `${raw.toString('latin1', 4, 4 + length)} ${raw.toString('base64')}`;
}

/** The fingerprint of a key as printed by ssh-keygen, "SHA256:…". */
export const fingerprint = (key: string): string =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=+$/, '')}`;

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw unusable(path, error);
  }
}

async function write(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown) =>
  fail('KNOWN_HOSTS_UNUSABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
