import { join } from 'node:path';

/** The applied state in the cluster directory. */
export const stateFile = (folder: string) => join(folder, 'state.json');

/** The key of the digests in the applied state. It stays on this machine. */
export const digestKeyFile = (folder: string) => join(folder, 'state.key');

/** The Kubernetes certificates and keys in the cluster directory. */
export const kubernetesCertificates = (folder: string) => join(folder, 'certs', 'kubernetes');

/** The encryption configuration for data in etcd, next to the certificates. */
export const ENCRYPTION_KEY = 'encryption.yaml';

/** The configuration and generated passwords of the registry, in the cluster directory. */
export const registryFolder = (folder: string) => join(folder, 'registry');

/** The admin kubeconfig, in the directory of a cluster. */
export const kubeconfigFile = (folder: string) => join(folder, 'kubeconfig');
