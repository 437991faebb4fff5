import { chain, empty, on, sequence } from '../../plan/fragment.ts';
import { asksApiserverFiles, makeEncryptionKey, writeApiserverFiles } from '../../step/kubernetes/apiserver-files.ts';
import { noteHost } from '../../step/kubernetes/note-host.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { sendPatches } from '../../step/kubernetes/patches.ts';
import { installKubeadm, installKubectl, installKubelet } from '../../step/kubernetes/programs.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { nodesAmong } from '../nodes.ts';
import type { Assets } from '../preflight/prepare-assets.ts';
import { defineTask } from '../task.ts';

export const installKubernetes = defineTask<Assets>({
  name: 'install-kubernetes',
  title: 'Install kubeadm, kubectl and the kubelet, and what they read',
  plan: ({ cluster, hosts, local }, assets) => {
    const nodes = nodesAmong(hosts);
    const { patches, encryptionAtRest } = cluster.kubernetes;
    const programs = [installKubectl, installKubeadm, installKubelet].map((install) => install(assets));
    return sequence(
      encryptionAtRest ? on(local, makeEncryptionKey(assets.folder)) : empty,
      chain(nodes, [refuseChanges(cluster), noteHost(cluster), ...programs]),
      patches === undefined ? empty : on(nodes, sendPatches(patches)),
      asksApiserverFiles(cluster) ? on(hosts.withRole('master'), writeApiserverFiles(cluster, assets.folder)) : empty,
      on(nodes, clearStaging),
    );
  },
});
