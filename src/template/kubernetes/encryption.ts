import type { Secret } from '../../common/secret.ts';
import { yamlDocuments } from '../yaml-documents.ts';

/** Encryption of Secrets in etcd. Secrets that were stored unencrypted stay readable. */
export const encryptionConfig = (key: Secret): string =>
  yamlDocuments([
    {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'EncryptionConfiguration',
      resources: [
        {
          resources: ['secrets'],
          providers: [{ secretbox: { keys: [{ name: 'key1', secret: key.reveal() }] } }, { identity: {} }],
        },
      ],
    },
  ]);
