import type { Cluster } from '../../config/model/cluster.ts';
import { CLUSTER_LINKS } from '../../config/model/network-plugins.ts';
import { sh, type Command } from '../../runner/command.ts';
import { KUBELET, SERVICES, unitFileOf } from '../../template/kubernetes/paths.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { shellWords } from '../contract/shell-words.ts';
import { removeNodeRecord } from './node-record.ts';
import { cleanUpHost } from './clean-up-host.ts';
import type { StopNode } from './stop-node.ts';

/** Whether the data of an etcd that kubeadm runs stay where they are. */
export interface ResetOptions {
  readonly preserveData: boolean;
}

/** A host that kubexm made a node is none any more: comes before programs and runtime are removed. */
export const resetNode = (cluster: Cluster, stop: StopNode, options: ResetOptions): Step =>
  defineStep({
    name: 'kubernetes.reset',
    summary: 'Take the node out of service',
    timeoutMs: TEN_MINUTES,
    parts: ({ host }) => [noNode(stop(cluster, host, options.preserveData))],
  });

const TEN_MINUTES = 600_000;

const noNode = (stop: Command): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'cleared:kubernetes',
    summary: 'remove pods, settings and networks of Kubernetes',
    async precheck({ runner, originDir }) {
      return (await runner.test(isNode(originDir))) ? { done: false, because: 'it is a node' } : DONE;
    },
    async run(ctx) {
      await cleanUpHost(ctx, stop);
      await removeNodeRecord(ctx);
    },
  });

/**
 * A kubelet that somebody else brought is left alone. Where ours is gone already, mounts, links and services that are left
 * count only on a host that this cluster has changed: pods of others have the same.
 */
const isNode = (originDir: string): Command => sh`ours() { grep -qsx '# Written by kubexm.' "$@"; }
links() { ip -o link show 2>/dev/null | grep -qE ${` (${CLUSTER_LINKS})[:@]`}; }
if ours ${KUBELET.unitFile}; then
  ls /etc/kubernetes/*.conf /etc/kubernetes/pki /etc/kubernetes/manifests /var/lib/kubelet/config.yaml 2>/dev/null | grep -q . || links
else
  [ -d ${originDir} ] && ! systemctl cat ${KUBELET.unit} >/dev/null 2>&1 && {
    ours ${shellWords(SERVICES.map(unitFileOf))} || grep -q '^[^ ]* /var/lib/kubelet/' /proc/mounts || links
  }
fi`;
