import { chain } from '../../plan/fragment.ts';
import { writeApiserverFiles } from '../../step/kubernetes/apiserver-files.ts';
import type { ClearOptions } from '../../step/kubernetes/clear.ts';
import { noteHost } from '../../step/kubernetes/note-host.ts';
import { sendPatches } from '../../step/kubernetes/patches.ts';
import { installKubeadm, installKubectl, installKubelet } from '../../step/kubernetes/programs.ts';
import { runKubelet } from '../../step/kubernetes/run-kubelet.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const uninstallKubernetes = defineTask<ClearOptions>({
  name: 'uninstall-kubernetes',
  title: 'Remove kubeadm, kubectl and the kubelet',
  plan: ({ cluster, hosts }, options) => {
    const files = [writeApiserverFiles(cluster, ''), sendPatches('')];
    const programs = [installKubelet(), installKubeadm(), installKubectl()];
    return chain(nodesAmong(hosts), [runKubelet, ...files, ...programs, noteHost(cluster, options)].map(reverse));
  },
});
