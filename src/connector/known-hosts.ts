import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { parseKnownHosts, type KnownHostsFile } from './known-hosts-file.ts';

/** A host key from a known_hosts file. */
export interface KnownKey {
  /** Public key, such as "ssh-ed25519 AAAA…". */
  readonly key: string;
  readonly path: string;
  readonly line: number;
}

/** How to handle the key of an unknown host: trust it on first use (tofu) or reject it (strict). */
export type HostKeyMode = 'tofu' | 'strict';

/** A host whose key was trusted on first use. */
export interface NewHostKey {
  readonly host: string;
  /** Address in the form "address:port". */
  readonly address: string;
  /** Key type, such as "ssh-ed25519". */
  readonly type: string;
  readonly fingerprint: string;
}

/** Options for the host keys of a cluster. */
export interface KnownHostsOptions {
  /** Default: tofu. */
  readonly mode?: HostKeyMode;
  /** known_hosts files that are read, but never written. */
  readonly also?: readonly string[];
  readonly onNewHostKey?: (key: NewHostKey) => void;
}

/** The host keys of one cluster, in a known_hosts file that ssh can also read. */
export interface KnownHosts {
  readonly path: string;
  readonly mode: HostKeyMode;
  readonly onNewHostKey: (key: NewHostKey) => void;
  /** Returns the keys of a host. Keys in the file of the cluster take precedence over other files. */
  find(name: string): Promise<readonly KnownKey[]>;
  /** Returns the line that revokes a key for a host. */
  findRevoked(name: string, key: string): Promise<KnownKey | undefined>;
  /** Adds the key of an unknown host. Returns false if the host has become known in the meantime. */
  trust(name: string, key: string): Promise<boolean>;
}

/** Opens a known_hosts file. The file is read once, and created when the first key is added. */
export function knownHosts(path: string, options: KnownHostsOptions = {}): KnownHosts {
  const { mode = 'tofu', also = [], onNewHostKey = () => {} } = options;
  let files: Promise<readonly OpenFile[]> | undefined;
  const appendLine = appender();
  const open = () => (files ??= Promise.all([path, ...also].map(read)));
  const find = async (name: string): Promise<readonly KnownKey[]> => {
    for (const file of await open()) {
      const keys = file.lines.find(name).filter(({ revoked }) => !revoked);
      if (keys.length > 0) return keys.map(({ key, line }) => ({ key, line, path: file.path }));
    }
    return [];
  };
  return Object.freeze({
    path,
    mode,
    onNewHostKey,
    find,
    async findRevoked(name: string, key: string) {
      for (const file of await open()) {
        const found = file.lines.find(name).find((line) => line.revoked && fingerprint(line.key) === fingerprint(key));
        if (found) return { key, line: found.line, path: file.path };
      }
      return undefined;
    },
    async trust(name: string, key: string) {
      const all = await open();
      const [own] = all;
      // There must be no await between the check and the change, because another connection may offer a key for the
      // same name.
      if (!own || all.some(({ lines }) => lines.find(name).some(({ revoked }) => !revoked))) return false;
      own.lines.add(name, key);
      await appendLine(own, `${name} ${key}\n`);
      return true;
    },
  });
}

interface OpenFile {
  readonly path: string;
  readonly lines: KnownHostsFile;
  /** Whether the last line of the existing file is incomplete. */
  cutOff: boolean;
}

/** Formats a key from the SSH protocol for known_hosts. */
export function keyText(raw: Buffer): string {
  const length = raw.readUInt32BE(0);
  return `${raw.toString('latin1', 4, 4 + length)} ${raw.toString('base64')}`;
}

/** Returns the fingerprint of a key as printed by ssh-keygen: "SHA256:…". */
export const fingerprint = (key: string): string =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=+$/, '')}`;

async function read(path: string): Promise<OpenFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw unusable(path, error);
  });
  return { path, lines: parseKnownHosts(text), cutOff: text !== '' && !text.endsWith('\n') };
}

/** Appends lines in order. Lines that arrive during a write are written together afterwards. */
function appender(): (file: OpenFile, line: string) => Promise<void> {
  let pending = '';
  let writing: Promise<void> | undefined;
  const flush = async (file: OpenFile) => {
    while (pending !== '') {
      const text = pending;
      pending = '';
      await append(file, text);
    }
  };
  return (file, line) => {
    pending += line;
    writing ??= flush(file).finally(() => (writing = undefined));
    return writing;
  };
}

/** Appends instead of rewriting the file, because other kubexm processes may add hosts at the same time. */
async function append(file: OpenFile, text: string): Promise<void> {
  try {
    await mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
    await appendFile(file.path, file.cutOff ? `\n${text}` : text, { mode: 0o600 });
    file.cutOff = false;
  } catch (error) {
    throw unusable(file.path, error);
  }
}

const unusable = (path: string, error: unknown) =>
  fail('KNOWN_HOSTS_UNUSABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
