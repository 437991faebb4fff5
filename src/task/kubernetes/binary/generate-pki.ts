import { on } from '../../../plan/fragment.ts';
import { makeCertificates } from '../../../step/kubernetes/binary/certificates.ts';
import { makeKubeconfigs } from '../../../step/kubernetes/binary/kubeconfigs.ts';
import { defineTask } from '../../task.ts';

/** The folder of the cluster on this machine. */
export interface KubePkiInput {
  readonly folder: string;
}

export const generateKubePki = defineTask<KubePkiInput>({
  name: 'generate-kube-pki',
  title: 'Make the certificates of Kubernetes on this machine',
  plan: ({ cluster, local }, { folder }) => on(local, makeCertificates(cluster, folder)),
});

export const generateKubeconfigs = defineTask<KubePkiInput>({
  name: 'generate-kubeconfigs',
  title: 'Make the kubeconfigs of all parts of Kubernetes on this machine',
  plan: ({ cluster, local }, { folder }) => on(local, makeKubeconfigs(cluster, folder)),
});
