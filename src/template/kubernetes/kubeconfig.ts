import type { Secret } from '../../common/secret.ts';
import { yamlDocuments } from '../yaml-documents.ts';

/** A way into a cluster. */
export interface KubeconfigOptions {
  readonly cluster: string;
  /** "https://lb.kubexm.local:6443" */
  readonly server: string;
  /** The certificate of the authority of the cluster, PEM. */
  readonly authority: string;
  readonly user: string;
  readonly login: KubeconfigLogin;
}

/** What the user comes with. */
export type KubeconfigLogin =
  | { readonly type: 'certificate'; readonly certificate: string; readonly key: Secret }
  | { readonly type: 'token'; readonly token: Secret };

/** The file, in the names that kubeadm gives. */
export function kubeconfig({ cluster, server, authority, user, login }: KubeconfigOptions): string {
  const context = `${user}@${cluster}`;
  return yamlDocuments([
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: cluster, cluster: { 'certificate-authority-data': base64(authority), server } }],
      contexts: [{ name: context, context: { cluster, user } }],
      'current-context': context,
      users: [{ name: user, user: loginOf(login) }],
    },
  ]);
}

function loginOf(login: KubeconfigLogin): object {
  switch (login.type) {
    case 'certificate':
      return {
        'client-certificate-data': base64(login.certificate),
        'client-key-data': base64(login.key.reveal()),
      };
    case 'token':
      return { token: login.token.reveal() };
  }
}

/** Where a cluster is and who vouches for it, without a way in. */
export const publicKubeconfig = (server: string, authority: string): string =>
  yamlDocuments([
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: '', cluster: { 'certificate-authority-data': base64(authority), server } }],
      contexts: null,
      'current-context': '',
      preferences: {},
      users: null,
    },
  ]);

const base64 = (text: string) => Buffer.from(text).toString('base64');
