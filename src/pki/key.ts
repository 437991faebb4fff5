import { createPrivateKey, createPublicKey, generateKeyPair, webcrypto, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Secret } from '../common/secret.ts';
import type { KeyAlgorithm } from './request.ts';

/** Generates a private key as PEM. */
export async function makeKey(algorithm: KeyAlgorithm = 'ecdsa'): Promise<Secret> {
  const { privateKey } = await newKey(algorithm);
  return new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

const generate = promisify(generateKeyPair);

function newKey(algorithm: KeyAlgorithm): Promise<{ readonly privateKey: KeyObject }> {
  switch (algorithm) {
    case 'ecdsa':
      return generate('ec', { namedCurve: 'P-256' });
    case 'rsa':
      return generate('rsa', { modulusLength: 2048 });
  }
}

/** Parses a private key; undefined if it is invalid. */
export function readKey(pem: Secret): KeyObject | undefined {
  try {
    return createPrivateKey(pem.reveal());
  } catch {
    return undefined;
  }
}

/** A WebCrypto key pair and its signing algorithm. */
export interface SigningKeys extends webcrypto.CryptoKeyPair {
  readonly algorithm: { readonly name: string; readonly hash: string };
}

/** Imports a private key in PKCS#8, SEC1 or PKCS#1 format. */
export async function signingKeys(pem: Secret): Promise<SigningKeys> {
  const key = createPrivateKey(pem.reveal());
  const { imports, algorithm } = algorithmOf(key);
  const { subtle } = webcrypto;
  const [privateKey, publicKey] = await Promise.all([
    subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), imports, false, ['sign']),
    subtle.importKey('spki', createPublicKey(key).export({ type: 'spki', format: 'der' }), imports, true, ['verify']),
  ]);
  return { privateKey, publicKey, algorithm };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa') {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    return { algorithm, imports: algorithm };
  }
  const curve = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  if (curve === undefined) throw new TypeError(`${asymmetricKeyType} keys are not supported for signing certificates`);
  return {
    algorithm: { name: 'ECDSA', hash: curve.hash },
    imports: { name: 'ECDSA', namedCurve: curve.name },
  };
}

const CURVES: Readonly<Record<string, { readonly name: string; readonly hash: string }>> = {
  prime256v1: { name: 'P-256', hash: 'SHA-256' },
  secp384r1: { name: 'P-384', hash: 'SHA-384' },
  secp521r1: { name: 'P-521', hash: 'SHA-512' },
};
