import { isNode } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import type { GenericStep } from '../contract/part.ts';
import { COREDNS, READY_SECONDS } from '../../template/dns/coredns.ts';
import { patchCoreDns } from './patch-coredns.ts';

/**
 * Restarts CoreDNS once, so that the scheduler spreads its Pods over the nodes: kubeadm starts them while there is only
 * one node, and often before the network plugin, so that they are in back-off. Runs on a master.
 */
export function spreadCoreDns({ hosts }: Cluster): GenericStep {
  const wanted = hosts.filter(isNode).length > 1 ? SEVERAL : ONE;
  return Object.freeze<GenericStep>({
    key: 'objects:coredns-placement',
    summary: 'restart CoreDNS to spread its Pods over the nodes',
    async precheck({ runner }) {
      const { exit, stdout } = await runner.query(READ_STATE);
      if (exit !== 0) return { done: false, because: 'CoreDNS does not exist yet' };
      const [spread, ready, desired, ...nodes] = stdout.split('\n').slice(0, -1);
      const onOneNode = nodes.length > 1 && new Set(nodes).size === 1;
      // With a single node, ready Pods need no restart.
      if (spread === SEVERAL || spread === wanted || !onOneNode || (wanted === ONE && ready === desired)) return DONE;
      return {
        done: false,
        because: nodes[0] ? `all CoreDNS Pods are on ${nodes[0]}` : 'no CoreDNS Pod is scheduled yet',
      };
    },
    async run(ctx) {
      await patchCoreDns(ctx, 'deployment', {
        spec: { template: { metadata: { annotations: { [SPREAD]: wanted } }, spec: { containers: [FASTER_PROBE] } } },
      });
    },
  });
}

const SPREAD = 'kubexm.mensylisir.io/spread';
const FASTER_PROBE = { name: COREDNS, readinessProbe: { periodSeconds: READY_SECONDS } };
const SEVERAL = 'once';
const ONE = 'one-node';

const ANNOTATION = `{.spec.template.metadata.annotations.${SPREAD.replaceAll('.', '\\.')}}`;

/** Prints the annotation, the ready and the desired replicas, and the node of each Pod. */
const READ_STATE: Command = sh`[ -x /usr/local/bin/kubectl ] || exit 1
${kubectl(sh`-n kube-system get deployment coredns -o ${`jsonpath=${ANNOTATION}{"\\n"}{.status.readyReplicas}{"\\n"}{.spec.replicas}{"\\n"}`}`)} 2>/dev/null &&
${kubectl(sh`-n kube-system get pods -l k8s-app=kube-dns -o ${'jsonpath={range .items[*]}{.spec.nodeName}{"\\n"}{end}'}`)} 2>/dev/null`;
