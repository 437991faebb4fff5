import type { Secret } from '../../common/secret.ts';
import { yamlDocuments } from '../yaml-documents.ts';

export interface KubeconfigOptions {
  readonly cluster: string;
  /** "https://lb.kubexm.local:6443" */
  readonly server: string;
  /** CA certificate of the cluster in PEM. */
  readonly ca: string;
  readonly user: string;
  readonly credentials: KubeconfigCredentials;
}

/** Client credentials in a kubeconfig. */
export type KubeconfigCredentials =
  | { readonly type: 'certificate'; readonly certificate: string; readonly key: Secret }
  | { readonly type: 'token'; readonly token: Secret };

/** The text of a kubeconfig, with the context names that kubeadm uses. */
export function kubeconfig({ cluster, server, ca, user, credentials }: KubeconfigOptions): string {
  const context = `${user}@${cluster}`;
  return yamlDocuments([
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: cluster, cluster: { 'certificate-authority-data': base64(ca), server } }],
      contexts: [{ name: context, context: { cluster, user } }],
      'current-context': context,
      users: [{ name: user, user: userFields(credentials) }],
    },
  ]);
}

function userFields(credentials: KubeconfigCredentials): object {
  switch (credentials.type) {
    case 'certificate':
      return {
        'client-certificate-data': base64(credentials.certificate),
        'client-key-data': base64(credentials.key.reveal()),
      };
    case 'token':
      return { token: credentials.token.reveal() };
  }
}

/** A kubeconfig with endpoint and CA but without credentials. */
export const publicKubeconfig = (server: string, ca: string): string =>
  yamlDocuments([
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: '', cluster: { 'certificate-authority-data': base64(ca), server } }],
      contexts: null,
      'current-context': '',
      preferences: {},
      users: null,
    },
  ]);

const base64 = (text: string) => Buffer.from(text).toString('base64');
