import type { ManagedEtcd } from '../../config/model/cluster.ts';
import { chain, on, sequence } from '../../plan/fragment.ts';
import { ownClientFiles, sendClientFiles } from '../../step/etcd/clients.ts';
import { settleEtcd } from '../../step/etcd/settle.ts';
import { memberSteps, type EtcdAssets } from '../../step/etcd/steps.ts';
import { defineTask } from '../task.ts';

/** An etcd of our own, and what it is made from. */
export interface EtcdInput {
  readonly etcd: ManagedEtcd;
  readonly assets: EtcdAssets;
}

export const installEtcd = defineTask<EtcdInput>({
  name: 'install-etcd',
  title: 'Run etcd on its hosts, see that each member is healthy, and let the masters reach it',
  plan: ({ cluster, hosts }, { etcd, assets }) => {
    const members = hosts.withRole('etcd');
    return sequence(
      chain(members, memberSteps(cluster, etcd, assets)),
      ...members.map((member) => on(member, settleEtcd)),
      on(hosts.withRole('master'), sendClientFiles(ownClientFiles(assets.folder))),
    );
  },
});
