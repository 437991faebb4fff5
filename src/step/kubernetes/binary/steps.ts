import type { Host } from '../../../common/host.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { kubeletServing } from '../../../config/model/kubelet-serving.ts';
import { replacesProxy } from '../../../template/kubeadm/cluster-configuration.ts';
import type { Service } from '../../../template/kubernetes/paths.ts';
import type { Programs } from '../../transfer/install-program.ts';
import { reverse } from '../../contract/reverse.ts';
import type { Step } from '../../contract/step.ts';
import { writeApiserverFiles } from '../apiserver-files.ts';
import type { ClearOptions } from '../clear.ts';
import { noteHost } from '../note-host.ts';
import { installKubectl } from '../programs.ts';
import { runKubelet } from '../run-kubelet.ts';
import { CONTROL_PLANE, serveControlPlane } from './control-plane.ts';
import { joinNode, type JoinOptions } from './join.ts';
import { serveKubeProxy } from './kube-proxy.ts';
import { configureKubelet } from './kubelet.ts';
import { sendKubeletCertificate, sendMasterFiles, sendWorkerFiles } from './master-files.ts';
import { installKubeletProgram, installService } from './programs.ts';

/** The programs of a node, which may be a master, too. */
export const programSteps = (cluster: Cluster, programs: Programs, isMaster: boolean): readonly Step[] => [
  installKubectl(programs),
  installKubeletProgram(programs),
  ...servicesOf(cluster, isMaster).map((name) => installService(name, programs)),
];

/** What runs as services there, beside the kubelet. */
export const servicesOf = (cluster: Cluster, isMaster: boolean): readonly Service[] => [
  ...(isMaster ? CONTROL_PLANE : []),
  ...(replacesProxy(cluster) ? [] : (['kube-proxy'] as const)),
];

/** A control plane on a master. */
export const controlPlaneSteps = (cluster: Cluster, folder: string): readonly Step[] => [
  sendMasterFiles(folder),
  ...CONTROL_PLANE.map((service) => serveControlPlane(cluster, service)),
];

/** What makes a host a node, in order. */
export const nodeSteps = (options: JoinOptions): readonly Step[] => [
  ...(kubeletServing(options.cluster) === 'made' ? [sendKubeletCertificate(options.folder)] : []),
  configureKubelet(options.cluster),
  joinNode(options),
  runKubelet,
  ...(replacesProxy(options.cluster) ? [] : [serveKubeProxy(options.cluster, options.folder)]),
];

export const workerSteps = (options: JoinOptions): readonly Step[] => [
  sendWorkerFiles(options.folder),
  ...nodeSteps(options),
];

/** All that was done to a host, the last first. */
export const nodeStepsToUndo = (
  cluster: Cluster,
  { roles }: Pick<Host, 'roles'>,
  options: ClearOptions,
): readonly Step[] =>
  [
    serveKubeProxy(cluster, ''),
    runKubelet,
    configureKubelet(cluster),
    sendKubeletCertificate(''),
    ...(roles.includes('master')
      ? [
          ...CONTROL_PLANE.toReversed().map((service) => serveControlPlane(cluster, service)),
          sendMasterFiles(''),
          writeApiserverFiles(cluster, ''),
          ...CONTROL_PLANE.map((name) => installService(name)),
        ]
      : [sendWorkerFiles('')]),
    installService('kube-proxy'),
    installKubeletProgram(),
    installKubectl(),
    noteHost(cluster, options),
  ].map(reverse);
