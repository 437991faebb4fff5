import type { ServerHostKeyAlgorithm } from 'ssh2';
import { fail } from '../common/errors/errors.ts';
import { fingerprint, type KnownHosts } from './known-hosts.ts';
import { quote } from './quote.ts';
import { endpointOf, knownHostsName, type Target } from './target.ts';

/** Accepts the key that a host shows, or throws: a pin wins, then what is remembered; a new host is remembered. */
export async function checkHostKey(target: Target, known: KnownHosts, offered: string): Promise<void> {
  const { name: host, hostKey: pin } = target;
  const told = { host, address: endpointOf(target), offered: fingerprint(offered) };
  if (pin !== undefined) {
    const wanted = pin.startsWith('SHA256:') ? pin.replace(/=+$/, '') : fingerprint(pin);
    if (wanted === told.offered) return;
    const source = 'hostKey in the cluster file';
    throw fail('HOST_KEY_CHANGED', { ...told, known: wanted, source, remedy: `hostKey: ${told.offered}` });
  }
  const place = knownHostsName(target);
  const { key, line } = await known.trust(place, offered);
  if (fingerprint(key) === told.offered) return;
  throw fail('HOST_KEY_CHANGED', {
    ...told,
    known: fingerprint(key),
    source: `${known.path}:${line}`,
    remedy: `ssh-keygen -R ${quote(place)} -f ${quote(known.path)}`,
  });
}

/**
 * Which kinds of host keys to ask for, one list for each attempt. A host has several keys: asked for another kind than
 * the known one it would seem to have changed. A fingerprint does not tell its kind, so all are tried.
 */
export async function hostKeyAlgorithms(
  target: Target,
  known: KnownHosts,
): Promise<readonly (readonly ServerHostKeyAlgorithm[])[]> {
  const pin = target.hostKey;
  if (pin?.startsWith('SHA256:')) return KINDS;
  const type = (pin ?? (await known.find(knownHostsName(target)))?.key)?.split(' ')[0];
  const mine = KINDS.find((kinds) => kinds.some((kind) => kind === type));
  const others = KINDS.filter((kinds) => kinds !== mine).flat();
  const first = mine && type !== 'ssh-rsa' ? mine.filter((kind) => kind === type) : (mine ?? []);
  return [[...first, ...(mine ?? []).filter((kind) => !first.includes(kind)), ...others]];
}

const KINDS: readonly (readonly ServerHostKeyAlgorithm[])[] = [
  ['ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
];
