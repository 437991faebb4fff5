import type { KeyObject } from 'node:crypto';
import { isKey, isTrusted } from '../../resource/bundle/keys.ts';
import type { OpenBundle } from '../../resource/bundle/open.ts';
import { fingerprint } from '../../resource/bundle/sign.ts';
import { fail } from '../../common/errors/errors.ts';

/** The key of a bundle that may be used: it signed the index, and it is the one that was named or that is known here. */
export async function trustedSigner({ path, signer }: OpenBundle, named: string | undefined): Promise<KeyObject> {
  if (!signer) throw fail('BUNDLE_UNSIGNED', { path });
  const key = fingerprint(signer);
  if (named !== undefined && !(await isKey(signer, named))) throw fail('BUNDLE_KEY_OTHER', { path, key, named });
  if (named === undefined && !(await isTrusted(signer))) throw fail('BUNDLE_KEY_UNKNOWN', { path, key });
  return signer;
}
