import type { ServerHostKeyAlgorithm } from 'ssh2';
import { fail } from '../common/errors/errors.ts';
import { fingerprint, type KnownHosts } from './known-hosts.ts';
import { quote } from './quote.ts';
import { endpointOf, knownHostsName, type Target } from './target.ts';

/** Verifies a host key against the pinned key, else against known_hosts; an unknown host is added there. */
export async function checkHostKey(target: Target, known: KnownHosts, offered: string): Promise<void> {
  const { name: host, hostKey: pin } = target;
  const details = { host, address: endpointOf(target), offered: fingerprint(offered) };
  if (pin !== undefined) {
    const wanted = pin.startsWith('SHA256:') ? pin.replace(/=+$/, '') : fingerprint(pin);
    if (wanted === details.offered) return;
    const source = 'hostKey in the cluster file';
    throw fail('HOST_KEY_CHANGED', { ...details, known: wanted, source, remedy: `hostKey: ${details.offered}` });
  }
  const name = knownHostsName(target);
  const { key, line } = await known.trust(name, offered);
  if (fingerprint(key) === details.offered) return;
  throw fail('HOST_KEY_CHANGED', {
    ...details,
    known: fingerprint(key),
    source: `${known.path}:${line}`,
    remedy: `ssh-keygen -R ${quote(name)} -f ${quote(known.path)}`,
  });
}

/**
 * The host key algorithms to request, one list per attempt. A host has keys of several types, and a key of another type
 * than the known one would look like a changed key. A fingerprint does not reveal its type, so each type is tried.
 */
export async function hostKeyAlgorithms(
  target: Target,
  known: KnownHosts,
): Promise<readonly (readonly ServerHostKeyAlgorithm[])[]> {
  const pin = target.hostKey;
  if (pin?.startsWith('SHA256:')) return KEY_TYPES;
  const type = (pin ?? (await known.find(knownHostsName(target)))?.key)?.split(' ')[0];
  const matching = KEY_TYPES.find((algorithms) => algorithms.some((algorithm) => algorithm === type)) ?? [];
  const others = KEY_TYPES.filter((algorithms) => algorithms !== matching).flat();
  const first = type === 'ssh-rsa' ? matching : matching.filter((algorithm) => algorithm === type);
  return [[...first, ...matching.filter((algorithm) => !first.includes(algorithm)), ...others]];
}

const KEY_TYPES: readonly (readonly ServerHostKeyAlgorithm[])[] = [
  ['ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
];
