import { kubeconfigFile } from '../../common/cluster-files.ts';
import { chain, empty, on, perHost, sequence, withCleanup } from '../../plan/fragment.ts';
import { needsApiserverFiles, makeEncryptionKey, writeApiserverFiles } from '../../step/kubernetes/apiserver-files.ts';
import { stackedMembers } from '../../step/etcd/stacked-members.ts';
import { resetNode, type ResetOptions } from '../../step/kubernetes/reset-node.ts';
import { initFirstMaster } from '../../step/kubernetes/init.ts';
import { joinNode } from '../../step/kubernetes/join.ts';
import { isEtcdData, recordHostState } from '../../step/kubernetes/record-host-state.ts';
import { uploadPatches } from '../../step/kubernetes/patches.ts';
import { kubeadmInitOptions, kubeadmJoinOptions } from '../../step/kubernetes/kubeadm-options.ts';
import { installKubeadm, installKubectl, installKubelet } from '../../step/kubernetes/install.ts';
import { readAppliedMembers } from '../../step/state/applied-members.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { approveServingCertificate } from '../../step/kubernetes/serving-certificate.ts';
import { updateControlPlane, updateKubelet, uploadConfiguration } from '../../step/kubernetes/update-kubeadm.ts';
import type { Step } from '../../step/contract/step.ts';
import { kubeletServing } from '../../config/model/kubelet-serving.ts';
import { encryptSecrets } from './encryption.ts';
import { runKubelet } from '../../step/kubernetes/run-kubelet.ts';
import { stopKubeadm } from '../../step/kubernetes/stop-node.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { undo } from '../../step/undo/undo.ts';
import { allNodes, firstMaster, otherMasters, workersOnly } from '../host-groups.ts';
import { defineTask, type TaskContext } from '../task.ts';

export const installKubernetes = defineTask({
  name: 'install-kubernetes',
  title: 'Install kubeadm, kubectl and the kubelet',
  plan: ({ cluster, assets, hosts, local }) => {
    const nodes = allNodes(hosts);
    const { patches, encryptionAtRest } = cluster.kubernetes;
    const installed = perHost(
      encryptionAtRest ? on(local, makeEncryptionKey(assets.folder)) : empty,
      chain(nodes, [
        refuseChanges(cluster, { etcdMembers: readAppliedMembers(assets.folder) }),
        recordHostState(cluster),
        installKubectl(assets),
        installKubeadm(assets),
        installKubelet(cluster, assets),
      ]),
      patches === undefined ? empty : on(nodes, uploadPatches(patches)),
      needsApiserverFiles(cluster) ? on(hosts.withRole('master'), writeApiserverFiles(cluster, assets.folder)) : empty,
    );
    return withCleanup(installed, on(nodes, clearStaging));
  },
});

export const bootstrapFirstMaster = defineTask({
  name: 'bootstrap-first-master',
  title: 'Initialize the control plane on the first master',
  plan: ({ cluster, assets, hosts }) =>
    chain(firstMaster(hosts), [
      initFirstMaster(kubeadmInitOptions(cluster, assets.images), kubeconfigFile(assets.folder)),
      uploadConfiguration(kubeadmInitOptions(cluster, assets.images)),
    ]),
});

/** Runs while other nodes join: the kubelet requests its serving certificate some seconds after the API server started. */
export const setUpFirstNode = defineTask({
  name: 'bootstrap-first-master',
  title: 'Initialize the control plane on the first master',
  plan: ({ cluster, assets, hosts }) => chain(firstMaster(hosts), kubeletSteps({ cluster, assets, hosts })),
});

/** What a node needs after it has joined, and again whenever the cluster file changes. */
const kubeletSteps = ({
  cluster,
  assets,
  hosts,
}: Pick<TaskContext, 'cluster' | 'assets' | 'hosts'>): readonly Step[] => [
  updateKubelet(kubeadmInitOptions(cluster, assets.images)),
  runKubelet,
  ...(kubeletServing(cluster) === 'csr' ? [approveServingCertificate(cluster, firstMaster(hosts))] : []),
];

export const joinMasters = defineTask({
  name: 'join-masters',
  title: 'Join the other masters',
  plan: ({ cluster, assets, hosts }) => {
    const join = joinNode(
      'kubeadm.join-master',
      kubeadmJoinOptions(cluster, assets.images, firstMaster(hosts)),
      stackedMembers(cluster),
    );
    const others = otherMasters(hosts);
    return perHost(
      // One at a time: each master changes the etcd quorum.
      sequence(...others.map((host) => on(host, join))),
      chain(others, kubeletSteps({ cluster, assets, hosts })),
    );
  },
});

export const joinWorkers = defineTask({
  name: 'join-workers',
  title: 'Join the workers',
  plan: ({ cluster, assets, hosts }) => {
    const join = joinNode('kubeadm.join-worker', kubeadmJoinOptions(cluster, assets.images, firstMaster(hosts)));
    return chain(workersOnly(hosts), [join, ...kubeletSteps({ cluster, assets, hosts })]);
  },
});

/** Runs when all kubelets have their configuration: API servers then verify the certificates of the kubelets. */
export const updateMasters = defineTask({
  name: 'update-masters',
  title: 'Update the control plane, one master after another',
  plan: ({ cluster, assets, hosts }) => {
    const update = updateControlPlane(kubeadmInitOptions(cluster, assets.images));
    return sequence(
      ...hosts.withRole('master').map((host) => on(host, update)),
      encryptSecrets({ cluster, assets, hosts }),
    );
  },
});

/** Masters join with the configuration in the cluster, which lists the names of all masters and load balancers. */
export const uploadJoinConfiguration = defineTask({
  name: 'upload-configuration',
  title: 'Store the configuration for the new hosts in the cluster',
  plan: ({ cluster, assets, hosts }) =>
    hosts.withRole('master').length + hosts.withRole('loadbalancer').length === 0
      ? empty
      : on(firstMaster(hosts), uploadConfiguration(kubeadmInitOptions(cluster, assets.images))),
});

/** One API server after another, each healthy before the next. */
export const updateEtcdServers = defineTask({
  name: 'update-etcd-servers',
  title: 'Connect the API servers to all etcd members',
  plan: ({ cluster, assets, hosts }) => {
    const options = kubeadmInitOptions(cluster, assets.images);
    return sequence(
      on(firstMaster(hosts), uploadConfiguration(options)),
      ...hosts.withRole('master').map((host) => on(host, updateControlPlane(options))),
    );
  },
});

export const resetNodes = defineTask<ResetOptions>({
  name: 'reset-node',
  title: 'Reset the nodes',
  plan: ({ cluster, hosts }, options) => on(allNodes(hosts), resetNode(cluster, stopKubeadm, options)),
});

export const uninstallKubernetes = defineTask<ResetOptions>({
  name: 'uninstall-kubernetes',
  title: 'Uninstall kubeadm, kubectl and the kubelet',
  plan: ({ hosts }, { preserveData }) =>
    chain(allNodes(hosts), [
      undo('kubelet.run', 'Stop the kubelet'),
      undo('apiserver.files', 'Remove the API server configuration files'),
      undo('kubeadm.patches', 'Remove the kubeadm patches'),
      undo('kubelet.install', 'Remove the kubelet'),
      undo('kubeadm.install', 'Remove kubeadm'),
      undo('kubectl.install', 'Remove kubectl'),
      undo('kubernetes.note', 'Restore the host settings from before Kubernetes', {
        preserve: (key) => preserveData && isEtcdData(key),
      }),
    ]),
});
