import type { Host } from '../../common/host.ts';
import { kubeletServing } from '../../config/model/kubelet-serving.ts';
import { chain, empty, on, parallel, perHost, sequence, withCleanup } from '../../plan/fragment.ts';
import type { Step } from '../../step/contract/step.ts';
import { needsApiserverFiles, makeEncryptionKey, writeApiserverFiles } from '../../step/kubernetes/apiserver-files.ts';
import { makeKubernetesCertificates } from '../../step/kubernetes/binary/certificates.ts';
import { CONTROL_PLANE, serveControlPlane, servicesOf } from '../../step/kubernetes/binary/control-plane.ts';
import { createRbacBindings } from '../../step/kubernetes/binary/rbac.ts';
import { joinNode } from '../../step/kubernetes/binary/join.ts';
import { serveKubeProxy } from '../../step/kubernetes/binary/kube-proxy.ts';
import { makeKubeconfigs } from '../../step/kubernetes/binary/kubeconfigs.ts';
import { configureKubelet } from '../../step/kubernetes/binary/kubelet.ts';
import {
  uploadKubeletCertificate,
  uploadMasterFiles,
  uploadWorkerFiles,
} from '../../step/kubernetes/binary/node-files.ts';
import { installKubeletProgram, installService } from '../../step/kubernetes/binary/install.ts';
import { resetNode, type ResetOptions } from '../../step/kubernetes/reset-node.ts';
import { isEtcdData, recordHostState } from '../../step/kubernetes/record-host-state.ts';
import { installKubectl } from '../../step/kubernetes/install.ts';
import { readAppliedMembers } from '../../step/state/applied-members.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { encryptSecrets } from './encryption.ts';
import { runKubelet } from '../../step/kubernetes/run-kubelet.ts';
import { stopServices } from '../../step/kubernetes/stop-node.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { undo } from '../../step/undo/undo.ts';
import { allNodes, firstMaster, otherMasters, workersOnly } from '../host-groups.ts';
import { defineTask, type TaskContext } from '../task.ts';

export const generateKubePki = defineTask({
  name: 'generate-kube-pki',
  title: 'Generate the Kubernetes certificates',
  plan: ({ cluster, assets, local }) => on(local, makeKubernetesCertificates(cluster, assets.folder)),
});

export const generateKubeconfigs = defineTask({
  name: 'generate-kubeconfigs',
  title: 'Generate the kubeconfigs',
  plan: ({ cluster, assets, local }) => on(local, makeKubeconfigs(cluster, assets.folder)),
});

export const installBinaries = defineTask({
  name: 'install-kubernetes',
  title: 'Install the Kubernetes binaries',
  plan: ({ cluster, assets, hosts, local }) => {
    const masters = hosts.withRole('master');
    const programs = ({ master }: { readonly master: boolean }) => [
      refuseChanges(cluster, { etcdMembers: readAppliedMembers(assets.folder) }),
      recordHostState(cluster),
      installKubectl(assets),
      installKubeletProgram(assets),
      ...servicesOf(cluster, master).map((service) => installService(service, assets)),
    ];
    const installed = perHost(
      cluster.kubernetes.encryptionAtRest ? on(local, makeEncryptionKey(assets.folder)) : empty,
      parallel(chain(masters, programs({ master: true })), chain(workersOnly(hosts), programs({ master: false }))),
      needsApiserverFiles(cluster) ? on(masters, writeApiserverFiles(cluster, assets.folder)) : empty,
    );
    return withCleanup(installed, on(allNodes(hosts), clearStaging));
  },
});

export const bootstrapFirstBinaryMaster = defineTask({
  name: 'bootstrap-first-master',
  title: 'Start the control plane on the first master',
  plan: (ctx) =>
    chain(firstMaster(ctx.hosts), [...controlPlaneSteps(ctx), createRbacBindings(ctx.cluster, ctx.assets.folder)]),
});

/** Runs while other nodes join, which need only the control plane. */
export const setUpFirstBinaryNode = defineTask({
  name: 'bootstrap-first-master',
  title: 'Start the control plane on the first master',
  plan: (ctx) => chain(firstMaster(ctx.hosts), nodeSteps(ctx)),
});

/** Starts API servers one after another, so that a changed flag never stops two of them, and the rest in parallel. */
export const joinBinaryMasters = defineTask({
  name: 'join-masters',
  title: 'Start the control plane on the other masters',
  plan: (ctx) => {
    const others = otherMasters(ctx.hosts);
    const [files, apiServer, ...more] = controlPlaneSteps(ctx);
    return sequence(
      on(others, files),
      ...others.map((host) => on(host, apiServer)),
      chain(others, [...more, ...nodeSteps(ctx)]),
    );
  },
});

/** Encrypts Secrets if that is enabled; everything else was updated when the masters were set up. */
export const updateBinaryMasters = defineTask({
  name: 'update-masters',
  title: 'Update the control plane, one master after another',
  plan: encryptSecrets,
});

/** One API server after another, each healthy before the next. */
export const updateBinaryEtcdServers = defineTask({
  name: 'update-etcd-servers',
  title: 'Connect the API servers to all etcd members',
  plan: ({ cluster, hosts }) => {
    const [apiServer] = CONTROL_PLANE;
    return sequence(...hosts.withRole('master').map((host) => on(host, serveControlPlane(cluster, apiServer))));
  },
});

export const joinBinaryWorkers = defineTask({
  name: 'join-workers',
  title: 'Join the workers',
  plan: (ctx) => chain(workersOnly(ctx.hosts), [uploadWorkerFiles(ctx.assets.folder), ...nodeSteps(ctx)]),
});

const controlPlaneSteps = ({ cluster, assets }: TaskContext): readonly [Step, Step, ...Step[]] => {
  const [apiServer, ...others] = CONTROL_PLANE;
  return [
    uploadMasterFiles(assets.folder),
    serveControlPlane(cluster, apiServer),
    ...others.map((service) => serveControlPlane(cluster, service)),
  ];
};

const nodeSteps = ({ cluster, assets: { folder }, hosts }: TaskContext): readonly Step[] => [
  ...(kubeletServing(cluster) === 'cluster-ca' ? [uploadKubeletCertificate(folder)] : []),
  configureKubelet(cluster),
  joinNode({ cluster, first: firstMaster(hosts), folder }),
  runKubelet,
  ...(servicesOf(cluster, false).includes('kube-proxy') ? [serveKubeProxy(cluster, folder)] : []),
];

export const resetBinaryNodes = defineTask<ResetOptions>({
  name: 'reset-node',
  title: 'Reset the nodes',
  plan: ({ cluster, hosts }, options) => on(allNodes(hosts), resetNode(cluster, stopServices, options)),
});

export const uninstallBinaries = defineTask<ResetOptions>({
  name: 'uninstall-kubernetes',
  title: 'Uninstall the Kubernetes binaries',
  plan: ({ hosts }, { preserveData }) =>
    parallel(
      ...allNodes(hosts).map((host) =>
        chain(host, [
          undo('kube-proxy.serve', 'Stop kube-proxy and remove its configuration'),
          undo('kubelet.run', 'Stop the kubelet'),
          undo('kubelet.configure', 'Remove the kubelet configuration'),
          undo('kubelet.certificate', 'Remove the kubelet serving certificate'),
          ...(isMaster(host) ? undoMaster : [undo('kubernetes.worker-files', 'Remove the CA certificate')]),
          undo('kube-proxy.install', 'Remove kube-proxy'),
          undo('kubelet.install', 'Remove the kubelet'),
          undo('kubectl.install', 'Remove kubectl'),
          undo('kubernetes.note', 'Restore the host settings from before Kubernetes', {
            preserve: (key) => preserveData && isEtcdData(key),
          }),
        ]),
      ),
    ),
});

const isMaster = ({ roles }: Host) => roles.includes('master');

const undoMaster: readonly Step[] = [
  undo('kube-scheduler.serve', 'Stop kube-scheduler and remove its configuration'),
  undo('kube-controller-manager.serve', 'Stop kube-controller-manager and remove its configuration'),
  undo('kube-apiserver.serve', 'Stop kube-apiserver and remove its configuration'),
  undo('kubernetes.master-files', 'Remove the certificates and kubeconfigs of the control plane'),
  undo('apiserver.files', 'Remove the API server configuration files'),
  undo('kube-apiserver.install', 'Remove kube-apiserver'),
  undo('kube-controller-manager.install', 'Remove kube-controller-manager'),
  undo('kube-scheduler.install', 'Remove kube-scheduler'),
];
