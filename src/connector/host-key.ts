import type { ServerHostKeyAlgorithm } from 'ssh2';
import { fail } from '../common/errors/errors.ts';
import { fingerprint, type KnownHosts, type KnownKey } from './known-hosts.ts';
import { quote } from './quote.ts';
import { endpointOf, knownHostsName, type Target } from './target.ts';

/**
 * Verifies a host key. It must not be revoked, and it must match the pinned key or, without a pinned key, a known_hosts
 * file. The key of an unknown host is trusted on first use, unless the mode is strict.
 */
export async function checkHostKey(target: Target, known: KnownHosts, offered: string): Promise<void> {
  const { name: host, hostKey: pin } = target;
  const name = knownHostsName(target);
  const details = { host, address: endpointOf(target), offered: fingerprint(offered) };
  const revoked = await known.findRevoked(name, offered);
  if (revoked) throw fail('HOST_KEY_REVOKED', { ...details, source: `${revoked.path}:${revoked.line}` });
  if (pin !== undefined) {
    const wanted = pin.startsWith('SHA256:') ? pin.replace(/=+$/, '') : fingerprint(pin);
    if (wanted === details.offered) return;
    const source = 'hostKey in the cluster file';
    throw fail('HOST_KEY_CHANGED', { ...details, known: wanted, source, remedy: `hostKey: ${details.offered}` });
  }
  const keys = await keysOf(target, known, offered);
  const [first] = keys;
  if (keys.some(({ key }) => fingerprint(key) === details.offered)) return;
  throw fail('HOST_KEY_CHANGED', {
    ...details,
    known: first ? fingerprint(first.key) : 'none',
    source: first ? `${first.path}:${first.line}` : known.path,
    remedy: `ssh-keygen -R ${quote(name)} -f ${quote(first?.path ?? known.path)}`,
  });
}

/** Returns the known keys of a host. If there are none, trusts the offered key first. */
async function keysOf(target: Target, known: KnownHosts, offered: string): Promise<readonly KnownKey[]> {
  const name = knownHostsName(target);
  const keys = await known.find(name);
  if (keys.length > 0) return keys;
  const details = { host: target.name, address: endpointOf(target), fingerprint: fingerprint(offered) };
  if (known.mode === 'strict') {
    const line = `${name} ${offered}`;
    throw fail('HOST_KEY_UNKNOWN', { ...details, remedy: `echo ${quote(line)} >> ${quote(known.path)}` });
  }
  if (await known.trust(name, offered)) known.onNewHostKey({ ...details, type: offered.split(' ')[0] ?? '' });
  return known.find(name);
}

/**
 * Returns the host key algorithms to request, one list per attempt. A host has keys of several types, and a key of a
 * different type than the known key would look like a changed key. A fingerprint does not reveal the key type, so each
 * type is tried.
 */
export async function hostKeyAlgorithms(
  target: Target,
  known: KnownHosts,
): Promise<readonly (readonly ServerHostKeyAlgorithm[])[]> {
  const pin = target.hostKey;
  if (pin?.startsWith('SHA256:')) return KEY_TYPES.map(({ algorithms }) => algorithms);
  const keys = pin === undefined ? (await known.find(knownHostsName(target))).map(({ key }) => key) : [pin];
  const types = new Set(keys.map((key) => key.split(' ')[0] ?? ''));
  const isKnown = (algorithm: string, family: KeyType) =>
    types.has(algorithm) || (family.name === 'ssh-rsa' && types.has(family.name));
  const all = KEY_TYPES.flatMap((family) => family.algorithms.map((algorithm) => ({ algorithm, family })));
  const first = all.filter(({ algorithm, family }) => isKnown(algorithm, family));
  return [[...first, ...all.filter((each) => !first.includes(each))].map(({ algorithm }) => algorithm)];
}

interface KeyType {
  /** The type of RSA keys in known_hosts. It is not the name of an offered algorithm. */
  readonly name?: string;
  readonly algorithms: readonly ServerHostKeyAlgorithm[];
}

// Excludes ssh-rsa, whose signatures use SHA-1. RSA keys sign with SHA-2.
const KEY_TYPES: readonly KeyType[] = [
  { algorithms: ['ssh-ed25519'] },
  { algorithms: ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'] },
  { name: 'ssh-rsa', algorithms: ['rsa-sha2-512', 'rsa-sha2-256'] },
];
