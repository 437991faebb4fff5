import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The base URLs of a Debian mirror. */
export interface AptMirror {
  readonly debian: string;
  readonly security: string;
}

/** The Debian mirror that apt uses on this computer. */
export async function findAptMirror(folder = '/etc/apt'): Promise<AptMirror> {
  const parts = await readdir(join(folder, 'sources.list.d')).catch(() => []);
  const files = ['sources.list', ...parts.map((name) => join('sources.list.d', name))];
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')));
  return parseAptSources(texts.join('\n'));
}

/** Finds the Debian mirror in apt sources, in one-line or deb822 format. Defaults to deb.debian.org. */
export function parseAptSources(sources: string): AptMirror {
  const lines = sources.split('\n').filter((line) => /^\s*(deb\s|URIs:)/.test(line));
  const uris = lines.flatMap((line) => line.match(/https?:\/\/[^\s\]]+/g) ?? []).map((uri) => uri.replace(/\/+$/, ''));
  return {
    debian: uris.find((uri) => uri.endsWith('/debian')) ?? DEFAULT.debian,
    security: uris.find((uri) => uri.endsWith('/debian-security')) ?? DEFAULT.security,
  };
}

const DEFAULT: AptMirror = {
  debian: 'http://deb.debian.org/debian',
  security: 'http://deb.debian.org/debian-security',
};
