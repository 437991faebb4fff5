import type { ExternalEtcd, ManagedEtcd } from '../../config/model/cluster.ts';
import { chain, empty, on, sequence } from '../../plan/fragment.ts';
import { ownClientFiles, sendClientFiles } from '../../step/etcd/clients.ts';
import { memberStepsToUndo } from '../../step/etcd/steps.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { defineTask } from '../task.ts';

/** The etcd that is left, and whether its data stays. */
export interface UninstallEtcdInput {
  readonly etcd: ManagedEtcd | ExternalEtcd;
  readonly preserveData: boolean;
}

export const uninstallEtcd = defineTask<UninstallEtcdInput>({
  name: 'uninstall-etcd',
  title: 'Remove etcd from its hosts, and the certificates for it from the masters',
  plan: ({ cluster, hosts }, { etcd, preserveData }) =>
    sequence(
      on(hosts.withRole('master'), reverse(sendClientFiles(ownClientFiles('')))),
      etcd.type === 'kubexm'
        ? chain(hosts.withRole('etcd'), memberStepsToUndo(cluster, etcd, { preserveData }))
        : empty,
    ),
});
