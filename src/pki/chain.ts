import { X509Certificate } from 'node:crypto';
import type { Pair } from './issue.ts';
import { readKey } from './key.ts';

/** Why a client certificate cannot be used with a CA; empty if it can. Everything must be PEM and nothing else. */
export function chainProblems({ ca, certificate, key }: Pair & { readonly ca: string }): readonly string[] {
  const [issuers, [leaf, ...rest]] = [certificatesIn(ca), certificatesIn(certificate)];
  if (issuers.length === 0) return ['its CA is not a PEM certificate'];
  if (leaf === undefined || rest.length > 0) return ['its client certificate is not a PEM certificate'];
  const privateKey = isKeyPem(key.reveal()) ? readKey(key) : undefined;
  if (privateKey === undefined) return ['its client key is not a PEM private key'];
  return [
    ...(leaf.checkPrivateKey(privateKey) ? [] : ['its client key does not match its client certificate']),
    ...(issuers.some((issuer) => leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey))
      ? []
      : ['its client certificate was not issued by its CA']),
  ];
}

/** Whether two texts have the same certificates, in any order and format. */
export const sameCertificates = (one: string, other: string): boolean =>
  fingerprints(one).length > 0 && fingerprints(one).join() === fingerprints(other).join();

const fingerprints = (pem: string) =>
  certificatesIn(pem)
    .map(({ fingerprint256 }) => fingerprint256)
    .sort();

/** The certificates of a PEM text; empty if it contains anything else. */
function certificatesIn(pem: string): readonly X509Certificate[] {
  if (pem.replaceAll(CERTIFICATE, '').trim() !== '') return [];
  try {
    return [...pem.matchAll(CERTIFICATE)].map(([block]) => new X509Certificate(block));
  } catch {
    return [];
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----/g;

const isKeyPem = (pem: string) =>
  /^-----BEGIN ((?:EC |RSA )?PRIVATE KEY)-----\r?\n[A-Za-z0-9+/=\r\n]+-----END \1-----\s*$/.test(pem);
