import { createHmac } from 'node:crypto';

/** A line in a known_hosts file. */
export interface KnownHostsLine {
  readonly line: number;
  /** Public key, such as "ssh-ed25519 AAAA…". */
  readonly key: string;
  /** Whether the key is revoked and must never be accepted. */
  readonly revoked: boolean;
}

/** The lines of a known_hosts file, by host. */
export interface KnownHostsFile {
  /** Returns the lines that apply to a host. The name is in known_hosts format: "10.0.0.1" or "[10.0.0.1]:2222". */
  find(name: string): readonly KnownHostsLine[];
  add(name: string, key: string): void;
}

/**
 * Parses a known_hosts file like ssh: lists of names, wildcards, negations, hashed names and @revoked. Finds plain
 * names in constant time, because a cluster may have thousands of hosts. Ignores keys of certificate authorities.
 */
export function parseKnownHosts(text: string): KnownHostsFile {
  const byName = new Map<string, KnownHostsLine[]>();
  const patterns: { readonly names: string; readonly entry: KnownHostsLine }[] = [];
  const lines = text.split('\n');
  const addNamed = (name: string, entry: KnownHostsLine) => {
    const entries = byName.get(name);
    if (entries) entries.push(entry);
    else byName.set(name, [entry]);
  };
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line, index + 1);
    if (!parsed) continue;
    const { names, entry } = parsed;
    if (/[*?!|]/.test(names)) patterns.push(parsed);
    else for (const name of names.toLowerCase().split(',')) addNamed(name, entry);
  }
  let next = lines.length + (text === '' || text.endsWith('\n') ? 0 : 1);
  return {
    find(name) {
      const plain = name.toLowerCase();
      const matching = patterns.filter(({ names }) => matches(names, plain)).map(({ entry }) => entry);
      return [...(byName.get(plain) ?? []), ...matching].sort((a, b) => a.line - b.line);
    },
    add(name, key) {
      addNamed(name.toLowerCase(), { line: next++, key, revoked: false });
    },
  };
}

function parseLine(text: string, line: number) {
  const words = text.trim().split(/\s+/);
  const [first = ''] = words;
  if (first === '' || first.startsWith('#')) return undefined;
  const marker = first.startsWith('@') ? first : undefined;
  const [names = '', type = '', key = ''] = marker === undefined ? words : words.slice(1);
  if (key === '' || (marker !== undefined && marker !== '@revoked')) return undefined;
  return { names, entry: { line, key: `${type} ${key}`, revoked: marker === '@revoked' } };
}

/** Returns whether a list of names matches a host. A negated name excludes the host, even if other names match. */
function matches(names: string, name: string): boolean {
  let found = false;
  for (const pattern of names.split(',')) {
    if (pattern.startsWith('!')) {
      if (matchesOne(pattern.slice(1), name)) return false;
    } else found ||= matchesOne(pattern, name);
  }
  return found;
}

function matchesOne(pattern: string, name: string): boolean {
  if (pattern.startsWith('|')) return matchesHash(pattern, name);
  const source = pattern
    .toLowerCase()
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}

/** Matches "|1|salt|hash", the HMAC of the name, which ssh writes with HashKnownHosts. */
function matchesHash(pattern: string, name: string): boolean {
  const [, version, salt = '', hash = ''] = pattern.split('|');
  if (version !== '1') return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}
