import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ENCRYPTION_KEY, kubernetesCertificates } from '../../common/cluster-files.ts';
import { Secret } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { configuresAdmission, limitsAnonymous } from '../../config/model/security.ts';
import { API_FILES, apiserverVolumes } from '../../template/kubernetes/apiserver-files.ts';
import { admissionConfig } from '../../template/kubernetes/admission.ts';
import { authenticationConfig } from '../../template/kubernetes/authentication.ts';
import { auditPolicy } from '../../template/kubernetes/audit-policy.ts';
import { encryptionConfig } from '../../template/kubernetes/encryption.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { writePrivateFile } from '../../util/private-file.ts';
import { file } from '../common/file.ts';
import { ownedDirectory } from '../common/owned-directory.ts';
import { localFile } from '../../runner/local-file.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { encryptionFile } from './encrypt-secrets.ts';
import { readFromMasters } from './read-from-masters.ts';

/** Writes the audit policy and the encryption configuration of the API server. */
export const writeApiserverFiles = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'apiserver.files',
    summary: 'Write API server audit and encryption files',
    reversible: true,
    parts: () => {
      const { audit, encryptionAtRest, version } = cluster.kubernetes;
      const config = (path: string, content: string) => file({ path, content, mode: 0o600 });
      return [
        ...(audit ? auditParts() : []),
        ...(encryptionAtRest ? [encryptionFile(localEncryptionFile(folder))] : []),
        ...(configuresAdmission(cluster) ? [config(API_FILES.admission, admissionConfig())] : []),
        ...(limitsAnonymous(cluster) ? [config(API_FILES.authentication, authenticationConfig(version))] : []),
      ];
    },
  });

export const needsApiserverFiles = (cluster: Cluster): boolean => apiserverVolumes(cluster).length > 0;

const auditParts = (): readonly GenericStep[] => [
  file({ path: API_FILES.auditPolicy, content: auditPolicy() }),
  ownedDirectory({ path: API_FILES.auditLogs, mode: 0o700 }),
];

/** The encryption configuration with the key on this machine. */
export const localEncryptionFile = (folder: string): string => join(kubernetesCertificates(folder), ENCRYPTION_KEY);

/** Creates the encryption key on this machine. It is never removed: without it, encrypted data would be lost. */
export const makeEncryptionKey = (folder: string): Step =>
  defineStep({
    name: 'apiserver.encryption-key',
    summary: 'Create the encryption key for Secrets',
    parts: () => [encryptionKey(localEncryptionFile(folder))],
  });

const encryptionKey = (path: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'local-file:encryption-key',
    summary: `create ${path}`,
    precheck: async () => findingOf((await localFile(path)) ? [] : ['does not exist']),
    async run(ctx) {
      if (await localFile(path)) return;
      await ensureFolder(join(path, '..'), 0o700);
      // Data encrypted with a key that is still on a master could not be decrypted with a new one.
      const existing = await readFromMasters(ctx, API_FILES.encryption);
      const content = existing ?? encryptionConfig(new Secret(randomBytes(32).toString('base64')));
      await writePrivateFile(path, content);
    },
  });
