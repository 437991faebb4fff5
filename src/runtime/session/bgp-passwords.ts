import { fail } from '../../common/errors/errors.ts';
import type { Secret } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { resolveSecret } from './resolve-secret.ts';

/** Reads the BGP passwords of kube-vip, by router address. */
export async function resolveBgpPasswords({
  endpoint: { internal },
}: Cluster): Promise<Readonly<Record<string, Secret>>> {
  const peers = internal.type === 'kube-vip' ? (internal.bgp?.peers ?? []) : [];
  const all = peers.map(async ({ address, password }, at) => {
    if (password === undefined) return [];
    const field = `controlPlaneEndpoint.kubevip.bgp.peers[${at}].password`;
    const secret = await resolveSecret(password, field);
    // kube-vip reads a list of peers that are separated by commas, and their fields by colons.
    if (/[,:]/.test(secret.reveal())) throw fail('BGP_PASSWORD', { field });
    return [[address, secret] as const];
  });
  return Object.fromEntries((await Promise.all(all)).flat());
}
