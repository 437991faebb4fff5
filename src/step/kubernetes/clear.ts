import type { Cluster } from '../../config/cluster.ts';
import { sh } from '../../runner/command.ts';
import { KUBELET } from '../../template/kubeadm/kubelet-unit.ts';
import { DONE } from '../difference.ts';
import { defineStep, type GenericStep, type Step } from '../step.ts';
import { forgetNode } from './node-note.ts';
import { resetNode } from './reset.ts';

/** Whether the data of an etcd that kubeadm runs stay where they are. */
export interface ClearOptions {
  readonly preserveData: boolean;
}

/** A host that kubexm made a node is none any more: comes before programs and runtime are removed. */
export const clearNode = (cluster: Cluster, options: ClearOptions): Step =>
  defineStep({
    name: 'kubeadm.reset',
    summary: 'Take the node out of service',
    timeoutMs: TEN_MINUTES,
    parts: () => [noNode(cluster, options)],
  });

const TEN_MINUTES = 600_000;

const noNode = (cluster: Cluster, { preserveData }: ClearOptions): GenericStep =>
  Object.freeze<GenericStep>({
    summary: 'remove pods, settings and networks of Kubernetes',
    async precheck({ runner }) {
      return (await runner.test(IS_NODE)) ? { done: false, because: 'it is a node' } : DONE;
    },
    async run(ctx) {
      await resetNode(ctx, cluster, preserveData);
      await forgetNode(ctx);
    },
  });

/** A kubelet that somebody else brought is left alone. */
const IS_NODE = sh`grep -qsx '# Written by kubexm.' ${KUBELET.unitFile} && {
  ls /etc/kubernetes/*.conf /etc/kubernetes/pki /etc/kubernetes/manifests /var/lib/kubelet/config.yaml 2>/dev/null | grep -q . ||
  ip -o link show 2>/dev/null | grep -qE ' (cni0|flannel[.]1|kube-ipvs0)[:@]'
}`;
