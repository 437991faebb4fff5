import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../common/errors.ts';
import { Secret } from '../../../common/secret.ts';
import { makeKey, readKey } from '../../../pki/key.ts';
import { ensureFolder } from '../../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../../util/write-file.ts';
import { findingOf } from '../../difference.ts';
import type { GenericStep } from '../../step.ts';

/** Where the pair is, below the folder of the certificates. */
export const serviceAccountFiles = (folder: string) => ({
  privateKey: join(folder, 'sa.key'),
  publicKey: join(folder, 'sa.pub'),
});

/** There is a pair of keys that tokens of service accounts are signed and checked with. One that is there stays: tokens live by it. */
export function serviceAccountKey(folder: string): GenericStep {
  const files = serviceAccountFiles(folder);
  return Object.freeze<GenericStep>({
    summary: `make ${files.privateKey} and ${files.publicKey}`,
    async precheck() {
      const [own, told] = await Promise.all([read(files.privateKey), read(files.publicKey)]);
      if (own === undefined) return findingOf(['it is not there']);
      return findingOf(publicOf(own, files.privateKey) === told ? [] : ['its public half is another one']);
    },
    async run() {
      await ensureFolder(folder, 0o700);
      const own = (await read(files.privateKey)) ?? (await made(files.privateKey));
      await writeFileAtomically(files.publicKey, publicOf(own, files.privateKey), 0o644);
    },
  });
}

const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);

/** RSA, as kubeadm makes it: those who check tokens outside of the cluster expect it. */
async function made(path: string): Promise<string> {
  const key = (await makeKey('rsa')).reveal();
  await writeFileAtomically(path, key, 0o600);
  return key;
}

function publicOf(pem: string, file: string): string {
  const key = readKey(new Secret(pem));
  if (key === undefined) throw fail('PKI_UNUSABLE', { file, reason: 'it cannot be read' });
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}
