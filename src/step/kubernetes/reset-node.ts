import type { Cluster } from '../../config/model/cluster.ts';
import { sh, shellWords, type Command } from '../../runner/command.ts';
import { KUBELET, SERVICES, unitFileOf } from '../../template/kubernetes/paths.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { removeNodeRecord } from './node-record.ts';
import { cleanUpHost } from './clean-up-host.ts';
import { listPodNetwork } from './pod-network.ts';
import type { StopNode } from './stop-node.ts';

export interface ResetOptions {
  /** Keeps the data of an etcd that runs as a static Pod of kubeadm. */
  readonly preserveData: boolean;
  /** The node has left the cluster, so it has no etcd member that kubeadm could remove. */
  readonly hasLeft?: boolean;
}

/** Resets the node. Runs before programs and the container runtime are removed. */
export const resetNode = (cluster: Cluster, stop: StopNode, options: ResetOptions): Step =>
  defineStep({
    name: 'kubernetes.reset',
    summary: 'Reset the node',
    timeoutMs: TEN_MINUTES,
    parts: ({ host }) => [removedNode(cluster, stop(cluster, host, options.preserveData || options.hasLeft === true))],
  });

const TEN_MINUTES = 600_000;

const removedNode = (cluster: Cluster, stop: Command): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'cleared:kubernetes',
    summary: 'remove Pods, configuration and network interfaces of Kubernetes',
    async precheck({ runner, originDir }) {
      return (await runner.test(isNode(cluster, originDir))) ? { done: false, because: 'is a node' } : DONE;
    },
    async run(ctx) {
      await cleanUpHost(ctx, stop);
      await removeNodeRecord(ctx);
    },
  });

/**
 * A kubelet that kubexm did not install is left alone. If the kubelet is already gone, remaining mounts, services, interfaces,
 * routes and ipsets count only on hosts that this cluster has changed, because other container tools leave the same ones.
 */
const isNode = (cluster: Cluster, originDir: string): Command => sh`ours() { grep -qsx '# Written by kubexm.' "$@"; }
connected() { { ${listPodNetwork(cluster)}
} | grep -q .; }
if ours ${KUBELET.unitFile}; then
  ls /etc/kubernetes/*.conf /etc/kubernetes/pki /etc/kubernetes/manifests /var/lib/kubelet/config.yaml 2>/dev/null | grep -q . || connected
else
  [ -d ${originDir} ] && ! systemctl cat ${KUBELET.unit} >/dev/null 2>&1 && {
    ours ${shellWords(SERVICES.map(unitFileOf))} || grep -q '^[^ ]* /var/lib/kubelet/' /proc/mounts || connected
  }
fi`;
