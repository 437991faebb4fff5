import { isNode } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import type { GenericStep } from '../contract/part.ts';
import { COREDNS, READY_SECONDS } from '../../template/dns/coredns.ts';
import { patchCoreDns } from './patch-coredns.ts';

/**
 * kubeadm starts all pods of CoreDNS while there is one node only, and often before its network is there, so that they
 * are tried again only after a while. Started anew when all nodes are there, they stand on several, and at once; told
 * once, the scheduler does what it can. Runs on a master.
 */
export function spreadCoreDns({ hosts }: Cluster): GenericStep {
  const wanted = hosts.filter(isNode).length > 1 ? SEVERAL : ONE;
  return Object.freeze<GenericStep>({
    key: 'objects:coredns-placement',
    summary: 'start CoreDNS where the nodes are',
    async precheck({ runner }) {
      const { exit, stdout } = await runner.query(NODES);
      if (exit !== 0) return { done: false, because: 'CoreDNS is not there yet' };
      const [told, ready, wish, ...nodes] = stdout.split('\n').slice(0, -1);
      const together = nodes.length > 1 && new Set(nodes).size === 1;
      // Where there is no other node, one that runs already is as well off as it can be.
      if (told === SEVERAL || told === wanted || !together || (wanted === ONE && ready === wish)) return DONE;
      return { done: false, because: `all pods of CoreDNS are on ${nodes[0] || 'no node yet'}` };
    },
    async run(ctx) {
      await patchCoreDns(ctx, 'deployment', {
        spec: { template: { metadata: { annotations: { [SPREAD]: wanted } }, spec: { containers: [SOONER] } } },
      });
    },
  });
}

const SPREAD = 'kubexm.mensylisir.io/spread';
const SOONER = { name: COREDNS, readinessProbe: { periodSeconds: READY_SECONDS } };
const SEVERAL = 'once';
const ONE = 'one-node';

const TOLD = `{.spec.template.metadata.annotations.${SPREAD.replaceAll('.', '\\.')}}`;

/** Whether it was told so before, how many are ready and how many there should be, then the node of each pod. */
const NODES: Command = sh`[ -x /usr/local/bin/kubectl ] || exit 1
${kubectl(sh`-n kube-system get deployment coredns -o ${`jsonpath=${TOLD}{"\\n"}{.status.readyReplicas}{"\\n"}{.spec.replicas}{"\\n"}`}`)} 2>/dev/null &&
${kubectl(sh`-n kube-system get pods -l k8s-app=kube-dns -o ${'jsonpath={range .items[*]}{.spec.nodeName}{"\\n"}{end}'}`)} 2>/dev/null`;
