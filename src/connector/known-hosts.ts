import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors/errors.ts';

/** A host key that is remembered, and the line of the file where it stands. */
export interface KnownKey {
  /** "ssh-ed25519 AAAA…" */
  readonly key: string;
  readonly line: number;
}

/** The host keys of one cluster, in a file that the ssh program can read, too. */
export interface KnownHosts {
  readonly path: string;
  find(place: string): Promise<KnownKey | undefined>;
  /** Remembers the key of a host that was never seen; answers with the one that is remembered then. */
  trust(place: string, key: string): Promise<KnownKey>;
}

/** Opens the file of known host keys; it is made when the first key comes. */
export function knownHosts(path: string): KnownHosts {
  // One change after the other, so that hosts that are met at the same time do not lose each other's line.
  let last: Promise<unknown> = Promise.resolve();
  const find = async (place: string) => findKey(await read(path), place);
  return Object.freeze({
    path,
    find,
    trust(place: string, key: string) {
      const next = last.then(async () => {
        const text = await read(path);
        const known = findKey(text, place);
        if (known) return known;
        const grown = `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${place} ${key}\n`;
        await write(path, grown);
        return findKey(grown, place) ?? { key, line: 0 };
      });
      last = next.catch(() => {});
      return next;
    },
  });
}

/** The key of a place in the text of a known_hosts file. */
export function findKey(text: string, place: string): KnownKey | undefined {
  for (const [index, line] of text.split('\n').entries()) {
    const [places = '', type = '', key = ''] = line.trim().split(/\s+/);
    if (!places.startsWith('#') && key !== '' && places.split(',').includes(place)) {
      return { key: `${type} ${key}`, line: index + 1 };
    }
  }
  return undefined;
}

/** A key as it is sent by a host, as known_hosts files write it. */
export function keyText(raw: Buffer): string {
  const length = raw.readUInt32BE(0);
  return `${raw.toString('latin1', 4, 4 + length)} ${raw.toString('base64')}`;
}

/** "SHA256:…" of a key, as ssh-keygen prints it. */
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
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(beside, text, { mode: 0o600 });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown) =>
  fail('KNOWN_HOSTS_UNUSABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
