import { chain, empty, on, sequence } from '../../plan/fragment.ts';
import { asksApiserverFiles, makeEncryptionKey, writeApiserverFiles } from '../../step/kubernetes/apiserver-files.ts';
import { clearNode, type ClearOptions } from '../../step/kubernetes/reset-node.ts';
import { initFirstMaster } from '../../step/kubernetes/init.ts';
import { joinNode } from '../../step/kubernetes/join.ts';
import { noteHost, preservedDirectories } from '../../step/kubernetes/record-host-state.ts';
import { sendPatches } from '../../step/kubernetes/patches.ts';
import { initPlan, joinPlan } from '../../step/kubernetes/kubeadm-options.ts';
import { installKubeadm, installKubectl, installKubelet } from '../../step/kubernetes/install.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { runKubelet } from '../../step/kubernetes/run-kubelet.ts';
import { stopKubeadm } from '../../step/kubernetes/stop-node.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { undo } from '../../step/undo/undo.ts';
import { allNodes, firstMaster, workersOnly } from '../host-groups.ts';
import { defineTask } from '../task.ts';

export const installKubernetes = defineTask({
  name: 'install-kubernetes',
  title: 'Install kubeadm, kubectl and the kubelet',
  plan: ({ cluster, assets, hosts, local }) => {
    const nodes = allNodes(hosts);
    const { patches, encryptionAtRest } = cluster.kubernetes;
    return sequence(
      encryptionAtRest ? on(local, makeEncryptionKey(assets.folder)) : empty,
      chain(nodes, [
        refuseChanges(cluster),
        noteHost(cluster),
        installKubectl(assets),
        installKubeadm(assets),
        installKubelet(assets),
      ]),
      patches === undefined ? empty : on(nodes, sendPatches(patches)),
      asksApiserverFiles(cluster) ? on(hosts.withRole('master'), writeApiserverFiles(cluster, assets.folder)) : empty,
      on(nodes, clearStaging),
    );
  },
});

export const bootstrapFirstMaster = defineTask({
  name: 'bootstrap-first-master',
  title: 'Initialize the control plane on the first master',
  plan: ({ cluster, assets, hosts }) =>
    chain(firstMaster(hosts), [initFirstMaster(initPlan(cluster, assets.images)), runKubelet]),
});

export const joinMasters = defineTask({
  name: 'join-masters',
  title: 'Join the other masters',
  plan: ({ cluster, hosts }) => {
    const join = joinNode('kubeadm.join-master', joinPlan(cluster, firstMaster(hosts)));
    const others = hosts.withRole('master').slice(1);
    // One at a time: each master changes the etcd quorum.
    return sequence(...others.map((host) => chain(host, [join, runKubelet])));
  },
});

export const joinWorkers = defineTask({
  name: 'join-workers',
  title: 'Join the workers',
  plan: ({ cluster, hosts }) => {
    const join = joinNode('kubeadm.join-worker', joinPlan(cluster, firstMaster(hosts)));
    return chain(workersOnly(hosts), [join, runKubelet]);
  },
});

export const resetNodes = defineTask<ClearOptions>({
  name: 'reset-node',
  title: 'Reset the nodes',
  plan: ({ cluster, hosts }, options) => on(allNodes(hosts), clearNode(cluster, stopKubeadm, options)),
});

export const uninstallKubernetes = defineTask<ClearOptions>({
  name: 'uninstall-kubernetes',
  title: 'Uninstall kubeadm, kubectl and the kubelet',
  plan: ({ cluster, hosts }, options) =>
    chain(allNodes(hosts), [
      undo('kubelet.run', 'Stop the kubelet'),
      undo('apiserver.files', 'Remove the API server configuration files'),
      undo('kubeadm.patches', 'Remove the kubeadm patches'),
      undo('kubelet.install', 'Remove the kubelet'),
      undo('kubeadm.install', 'Remove kubeadm'),
      undo('kubectl.install', 'Remove kubectl'),
      undo('kubernetes.note', 'Restore the host settings from before Kubernetes', {
        preserve: preservedDirectories(cluster, options),
      }),
    ]),
});
