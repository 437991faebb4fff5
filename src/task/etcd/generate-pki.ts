import { on } from '../../plan/fragment.ts';
import { makeCertificates } from '../../step/etcd/certificates.ts';
import { defineTask } from '../task.ts';

/** Where certificates are made. */
export interface EtcdPkiInput {
  /** The folder of the cluster. */
  readonly folder: string;
}

export const generateEtcdPki = defineTask<EtcdPkiInput>({
  name: 'generate-etcd-pki',
  title: 'Make the certificates of etcd on this machine',
  plan: ({ cluster, local }, { folder }) => on(local, makeCertificates(cluster, folder)),
});
