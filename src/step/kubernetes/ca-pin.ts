import { createHash, X509Certificate } from 'node:crypto';

/** What a node compares the authority of the cluster with before it trusts it: "sha256:" and the sum of its public key. */
export function caPin(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
