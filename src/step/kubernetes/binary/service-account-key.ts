import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { fail } from '../../../common/errors/errors.ts';
import { Secret } from '../../../common/secret.ts';
import { makeKey, readKey } from '../../../pki/key.ts';
import { readIfExists } from '../../../pki/store.ts';
import { SERVICE_ACCOUNT } from '../../../template/kubernetes/paths.ts';
import { ensureFolder } from '../../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../../util/write-file.ts';
import { findingOf } from '../../contract/finding.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';
import { readFromMasters } from '../read-from-masters.ts';

/** Where the pair is, below the folder of the certificates. */
export const serviceAccountFiles = (folder: string) => ({
  privateKey: join(folder, 'sa.key'),
  publicKey: join(folder, 'sa.pub'),
});

/** There is a pair of keys that tokens of service accounts are signed and checked with. One that is here or on a master stays: tokens live by it. */
export function serviceAccountKey(folder: string): GenericStep {
  const files = serviceAccountFiles(folder);
  return Object.freeze<GenericStep>({
    key: 'local-file:service-account-key',
    summary: `make ${files.privateKey} and ${files.publicKey}`,
    async precheck() {
      const [own, told] = await Promise.all([files.privateKey, files.publicKey].map(readIfExists));
      if (own === undefined) return findingOf(['it is not there']);
      return findingOf(publicOf(own, files.privateKey) === told ? [] : ['its public half is another one']);
    },
    async run(ctx) {
      await ensureFolder(folder, 0o700);
      const own = (await readIfExists(files.privateKey)) ?? (await kept(ctx, files.privateKey));
      await writeFileAtomically(files.publicKey, publicOf(own, files.privateKey), 0o644);
    },
  });
}

/** A new one is RSA, as kubeadm makes it: those who check tokens outside of the cluster expect it. */
async function kept(ctx: StepContext, path: string): Promise<string> {
  const key = (await readFromMasters(ctx, SERVICE_ACCOUNT.privateKey)) ?? (await makeKey('rsa')).reveal();
  // One that cannot be read is never written here, where it would stand in the way of a whole one.
  publicOf(key, SERVICE_ACCOUNT.privateKey);
  await writeFileAtomically(path, key, 0o600);
  return key;
}

function publicOf(pem: string, file: string): string {
  const key = readKey(new Secret(pem));
  if (key === undefined) throw fail('PKI_UNUSABLE', { file, reason: 'it cannot be read' });
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}
