import { parse } from 'yaml';
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

/** The same keys, but for reading only: new Secrets are stored as plain text. */
export function readableOnly(config: string): string {
  const document: EncryptionDocument = parse(config);
  const resources = document.resources.map((each) => ({ ...each, providers: each.providers.toReversed() }));
  return yamlDocuments([{ ...document, resources }]);
}

/** Whether both configurations can read what the other one writes. */
export const hasSameKey = (one: string, other: string): boolean => [one, readableOnly(one)].includes(other);

interface EncryptionDocument {
  readonly resources: readonly { readonly providers: readonly object[] }[];
}
