import { join } from 'node:path';

/** Where it is written what was applied, in the folder of a cluster. */
export const stateFile = (folder: string) => join(folder, 'state.json');

/** Where certificates and keys of Kubernetes are, in the folder of a cluster. */
export const kubernetesCertificates = (folder: string) => join(folder, 'certs', 'kubernetes');

/** What data of etcd are encrypted with, beside the certificates. */
export const ENCRYPTION_KEY = 'encryption.yaml';

/** The way into the cluster, in its folder. */
export const kubeconfigFile = (folder: string) => join(folder, 'kubeconfig');
