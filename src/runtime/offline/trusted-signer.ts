import type { KeyObject } from 'node:crypto';
import { matchesKey, isTrusted } from '../../resource/bundle/keys.ts';
import type { OpenBundle } from '../../resource/bundle/open.ts';
import { fingerprint } from '../../resource/bundle/sign.ts';
import { fail } from '../../common/errors/errors.ts';

/** Returns the key that signed the bundle. Throws unless it is the expected key or, without one, a trusted key. */
export async function trustedSigner({ path, signer }: OpenBundle, expected: string | undefined): Promise<KeyObject> {
  if (!signer) throw fail('BUNDLE_UNSIGNED', { path });
  const key = fingerprint(signer);
  if (expected !== undefined && !(await matchesKey(signer, expected)))
    throw fail('BUNDLE_KEY_OTHER', { path, key, expected });
  if (expected === undefined && !(await isTrusted(signer))) throw fail('BUNDLE_KEY_UNKNOWN', { path, key });
  return signer;
}
