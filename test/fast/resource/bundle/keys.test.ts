import { generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { isTrusted, signingKey, trustKey } from '../../../../src/resource/bundle/keys.ts';
import { fingerprint, publicKeyOf } from '../../../../src/resource/bundle/sign.ts';
import { home } from '../../cli/kubexm.ts';

const newKey = () => generateKeyPairSync('ed25519').publicKey;

it('creates one signing key that only its owner can read', async () => {
  const folder = home();
  vi.stubEnv('KUBEXM_HOME', folder);
  const [first, second] = [await signingKey(), await signingKey()];
  expect(fingerprint(first)).toBe(fingerprint(second));
  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
  expect([modeOf('keys'), modeOf('keys/bundle.pem'), modeOf('keys/bundle.pub.pem')]).toEqual([0o700, 0o600, 0o644]);
});

it('trusts the own key and keys that were trusted before, and no others', async () => {
  vi.stubEnv('KUBEXM_HOME', home());
  const [trusted, other] = [newKey(), newKey()];
  expect(await isTrusted(trusted)).toBe(false);
  await trustKey(trusted);
  expect(await isTrusted(trusted)).toBe(true);
  expect(await isTrusted(publicKeyOf(await signingKey()))).toBe(true);
  expect(await isTrusted(other)).toBe(false);
});
