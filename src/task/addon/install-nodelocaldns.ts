import { on } from '../../plan/fragment.ts';
import type { Fetched } from '../../step/kubernetes-object/catalog-manifest.ts';
import { installNodeLocalDns as installStep } from '../../step/addon/node-local-dns.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const installNodeLocalDns = defineTask<Pick<Fetched, 'images'>>({
  name: 'install-nodelocaldns',
  title: 'Keep DNS answers on every node',
  plan: ({ cluster, hosts }, { images }) => on(firstMaster(hosts), installStep(cluster, images)),
});
