import type { Facts } from '../facts.ts';

/** Parses /etc/os-release. A single line, as in /etc/redhat-release, becomes the name. */
export function parseOsRelease(text: string): Facts['os'] {
  const values = new Map(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map((match): [string, string] => [
      match[1] ?? '',
      unquote(match[2] ?? ''),
    ]),
  );
  const get = (name: string) => values.get(name) ?? '';
  const name = [get('NAME'), get('VERSION')].filter(Boolean).join(' ');
  return Object.freeze({
    id: get('ID').toLowerCase() || 'linux',
    idLike: get('ID_LIKE').toLowerCase().split(/\s+/).filter(Boolean),
    versionId: get('VERSION_ID'),
    prettyName: get('PRETTY_NAME') || name || text.trim().split('\n')[0] || 'Linux',
  });
}

/** Returns the OS family based on ID and ID_LIKE, or otherwise on the package manager. */
export function familyOf(os: Facts['os'], packageManager: Facts['packageManager']): Facts['family'] {
  const names = [os.id, ...os.idLike];
  if (names.some((name) => DEBIAN.has(name))) return 'debian';
  if (names.some((name) => RHEL.has(name))) return 'rhel';
  if (packageManager === undefined) return 'other';
  return packageManager === 'apt' ? 'debian' : 'rhel';
}

const DEBIAN: ReadonlySet<string> = new Set(['debian', 'ubuntu']);
const RHEL: ReadonlySet<string> = new Set([
  'rhel',
  'centos',
  'fedora',
  'rocky',
  'almalinux',
  'ol',
  'amzn',
  'openeuler',
  'anolis',
  'kylin',
  'opencloudos',
  'tencentos',
]);

const unquote = (value: string) =>
  value
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/\\(["'$`\\])/g, '$1');
