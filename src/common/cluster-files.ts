import { join } from 'node:path';

/** Returns the path of the applied state in the cluster directory. */
export const stateFile = (folder: string) => join(folder, 'state.json');

/** Returns the path of the HMAC key for the digests in the applied state. The key never leaves this machine. */
export const digestKeyFile = (folder: string) => join(folder, 'state.key');

/** Returns the directory of the Kubernetes certificates and private keys. */
export const kubernetesCertificates = (folder: string) => join(folder, 'certs', 'kubernetes');

/** Name of the encryption-at-rest configuration, in the same directory as the Kubernetes certificates. */
export const ENCRYPTION_KEY = 'encryption.yaml';

/** Returns the directory of the registry configuration and its generated passwords. */
export const registryFolder = (folder: string) => join(folder, 'registry');

/** Returns the path of the admin kubeconfig in the cluster directory. */
export const kubeconfigFile = (folder: string) => join(folder, 'kubeconfig');

/** Returns the directory with the cluster files of hosts that were removed without being reset. */
export const removedHostsFolder = (folder: string) => join(folder, 'removed');
