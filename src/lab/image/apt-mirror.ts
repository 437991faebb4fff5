import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Debian's packages come from. */
export interface Mirror {
  readonly debian: string;
  readonly security: string;
}

/** The mirror that this computer's own apt uses. */
export async function findMirror(folder = '/etc/apt'): Promise<Mirror> {
  const parts = await readdir(join(folder, 'sources.list.d')).catch(() => []);
  const files = ['sources.list', ...parts.map((name) => join('sources.list.d', name))];
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')));
  return mirrorIn(texts.join('\n'));
}

/** The Debian mirror named in the text of apt sources, in either of their two formats. */
export function mirrorIn(sources: string): Mirror {
  const lines = sources.split('\n').filter((line) => /^\s*(deb\s|URIs:)/.test(line));
  const uris = lines.flatMap((line) => line.match(/https?:\/\/[^\s\]]+/g) ?? []).map((uri) => uri.replace(/\/+$/, ''));
  return {
    debian: uris.find((uri) => uri.endsWith('/debian')) ?? DEFAULT.debian,
    security: uris.find((uri) => uri.endsWith('/debian-security')) ?? DEFAULT.security,
  };
}

const DEFAULT: Mirror = {
  debian: 'http://deb.debian.org/debian',
  security: 'http://deb.debian.org/debian-security',
};
