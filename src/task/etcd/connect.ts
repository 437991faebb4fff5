import type { ExternalEtcd } from '../../config/model/cluster.ts';
import { chain } from '../../plan/fragment.ts';
import { externalSteps } from '../../step/etcd/external.ts';
import { defineTask } from '../task.ts';

export const connectEtcd = defineTask<ExternalEtcd>({
  name: 'connect-etcd',
  title: 'Let the masters reach the etcd of the user, and see that it is healthy',
  plan: ({ cluster, hosts }, etcd) => chain(hosts.withRole('master'), externalSteps(cluster, etcd)),
});
