import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { fail } from '../../../common/errors/errors.ts';
import { Secret } from '../../../common/secret.ts';
import { makeKey, readKey } from '../../../pki/key.ts';
import { readPrivateFile, writePrivateFile } from '../../../util/private-file.ts';
import { SERVICE_ACCOUNT } from '../../../template/kubernetes/paths.ts';
import { ensureFolder } from '../../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../../util/write-file.ts';
import { findingOf } from '../../contract/finding.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';
import { readFromMasters } from '../read-from-masters.ts';

/** The local paths of the key pair. */
export const serviceAccountFiles = (folder: string) => ({
  privateKey: join(folder, 'sa.key'),
  publicKey: join(folder, 'sa.pub'),
});

/**
 * Creates the key pair that signs service account tokens on this machine. An existing pair is kept, because tokens
 * depend on it.
 */
export function serviceAccountKey(folder: string): GenericStep {
  const files = serviceAccountFiles(folder);
  return Object.freeze<GenericStep>({
    key: 'local-file:service-account-key',
    summary: `create ${files.privateKey} and ${files.publicKey}`,
    async precheck() {
      const [privateKey, publicKey] = await Promise.all([files.privateKey, files.publicKey].map(readPrivateFile));
      if (privateKey === undefined) return findingOf(['does not exist']);
      return findingOf(publicOf(privateKey, files.privateKey) === publicKey ? [] : ['the public key does not match']);
    },
    async run(ctx) {
      await ensureFolder(folder, 0o700);
      const privateKey = (await readPrivateFile(files.privateKey)) ?? (await createKey(ctx, files.privateKey));
      await writeFileAtomically(files.publicKey, publicOf(privateKey, files.privateKey), 0o644);
    },
  });
}

/** Copies the key from a master, or generates one. RSA as with kubeadm: external token verifiers expect it. */
async function createKey(ctx: StepContext, path: string): Promise<string> {
  const key = (await readFromMasters(ctx, SERVICE_ACCOUNT.privateKey)) ?? (await makeKey('rsa')).reveal();
  // Fails on a corrupt key, so that it is not written here.
  publicOf(key, SERVICE_ACCOUNT.privateKey);
  await writePrivateFile(path, key);
  return key;
}

function publicOf(pem: string, file: string): string {
  const key = readKey(new Secret(pem));
  if (key === undefined) throw fail('PKI_UNUSABLE', { file, reason: 'the private key cannot be parsed' });
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}
