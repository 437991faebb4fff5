import { join } from 'node:path';
import type { Cluster } from '../../config/model/cluster.ts';
import type { SecretSource } from '../../config/model/secrets.ts';
import { ageCipher, encryptKeysIn, type KeyProtection } from '../../pki/key-encryption.ts';
import { clusterFolder } from '../../state/runs.ts';
import { encryptFilesIn } from '../../util/private-file.ts';
import { resolveSecret } from './resolve-secret.ts';

/** Encrypts the private keys of a cluster on this machine, if the cluster file or the environment says so. */
export function protectKeys(cluster: Cluster, workdir: string): void {
  const source = protectionOf(cluster);
  if (source === undefined) return;
  const folder = certificates(workdir, cluster);
  encryptFilesIn(
    folder,
    ageCipher(folder, () => resolve(source)),
  );
}

/** Encrypts keys that were written before. */
export async function encryptExistingKeys(cluster: Cluster, workdir: string): Promise<void> {
  if (protectionOf(cluster) !== undefined) await encryptKeysIn(certificates(workdir, cluster));
}

const certificates = (workdir: string, { name }: Cluster) => join(clusterFolder(workdir, name), 'certs');

interface Protection {
  readonly type: KeyProtection['type'];
  readonly source: SecretSource;
}

/** The cluster file takes precedence over the environment. */
function protectionOf({ security: { keyEncryption } }: Cluster, env = process.env): Protection | undefined {
  const { passphrase, ageIdentity } = keyEncryption ?? {};
  if (passphrase) return { type: 'passphrase', source: passphrase };
  if (ageIdentity) return { type: 'age-identity', source: ageIdentity };
  if (env[PASSPHRASE]) return { type: 'passphrase', source: { type: 'env', name: PASSPHRASE } };
  const path = env[IDENTITY_FILE];
  return path ? { type: 'age-identity', source: { type: 'file', path } } : undefined;
}

const PASSPHRASE = 'KUBEXM_KEY_PASSPHRASE';
const IDENTITY_FILE = 'KUBEXM_KEY_IDENTITY_FILE';

async function resolve({ type, source }: Protection): Promise<KeyProtection> {
  const value = await resolveSecret(source, 'spec.security.keyEncryption');
  return type === 'passphrase' ? { type, passphrase: value } : { type, identity: value };
}
