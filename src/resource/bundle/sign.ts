import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** Signature of a bundle index. */
export interface BundleSignature {
  readonly algorithm: 'ed25519';
  /** Public key as base64-encoded DER. */
  readonly publicKey: string;
  readonly signature: string;
}

const schema = z.strictObject({
  algorithm: z.literal('ed25519'),
  publicKey: z.base64(),
  signature: z.base64(),
});

/** Signs a text. The same text and key always produce the same signature. */
export function signText(text: string, key: KeyObject): BundleSignature {
  return {
    algorithm: 'ed25519',
    publicKey: derOf(key).toString('base64'),
    signature: sign(null, Buffer.from(text), key).toString('base64'),
  };
}

/** Returns the key that signed the text, or undefined if the signature is invalid. */
export function signerOf(text: string, signature: string): KeyObject | undefined {
  try {
    const given = schema.parse(JSON.parse(signature));
    const key = createPublicKey({ key: Buffer.from(given.publicKey, 'base64'), format: 'der', type: 'spki' });
    const isEd25519 = key.asymmetricKeyType === 'ed25519';
    return isEd25519 && verify(null, Buffer.from(text), key, Buffer.from(given.signature, 'base64')) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key fingerprint in SSH format: "SHA256:…". */
export const fingerprint = (key: KeyObject): string =>
  `SHA256:${createHash('sha256').update(derOf(key)).digest('base64').replace(/=+$/, '')}`;

export const publicKeyOf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

const derOf = (key: KeyObject): Buffer => publicKeyOf(key).export({ type: 'spki', format: 'der' });
