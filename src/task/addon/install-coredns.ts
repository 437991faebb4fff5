import { chain, on } from '../../plan/fragment.ts';
import type { Fetched } from '../../step/kubernetes-object/catalog-manifest.ts';
import { installCoreDns as installStep, settleCoreDns } from '../../step/addon/coredns.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** Where kubeadm has brought it. */
export const setUpCoreDns = defineTask({
  name: 'install-coredns',
  title: 'Let names in the cluster be answered',
  plan: ({ cluster, hosts }) => on(firstMaster(hosts), settleCoreDns(cluster, { spread: true })),
});

/** Where nobody has. */
export const installCoreDns = defineTask<Pick<Fetched, 'images'>>({
  name: 'install-coredns',
  title: 'Let names in the cluster be answered',
  plan: ({ cluster, hosts }, { images }) =>
    chain(firstMaster(hosts), [installStep(cluster, images), settleCoreDns(cluster)]),
});
