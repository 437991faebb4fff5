import { isNode } from '../../common/host.ts';
import type { Cluster } from '../../config/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { DONE } from '../difference.ts';
import { kubectl } from '../kubectl.ts';
import { defineStep, type GenericStep, type Step } from '../step.ts';
import { restartCoreDns } from './patch-coredns.ts';

/** Names are answered also when a node is lost; runs on a master, when all nodes are there. */
export const spreadCoreDns = ({ hosts, network }: Cluster): Step =>
  defineStep({
    name: 'coredns.spread',
    summary: 'Let CoreDNS stand on more than one node',
    parts: () => {
      // Without a network no pod of it ever stands anywhere.
      return hosts.filter(isNode).length > 1 && network.plugin.type !== 'none' ? [spread] : [];
    },
  });

/** kubeadm starts all pods of it while there is one node only. Told once, the scheduler does what it can. */
const spread: GenericStep = Object.freeze<GenericStep>({
  summary: 'let pods of CoreDNS be on different nodes',
  async precheck({ runner }) {
    const { exit, stdout } = await runner.look(NODES);
    if (exit !== 0) return { done: false, because: 'CoreDNS is not there yet' };
    const [told, ...nodes] = stdout.trimEnd().split('\n');
    const together = told === '' && nodes.length > 1 && new Set(nodes).size === 1;
    return together ? { done: false, because: `all pods of CoreDNS are on ${nodes[0]}` } : DONE;
  },
  async run(ctx) {
    await restartCoreDns(ctx, { [SPREAD]: 'once' });
  },
});

const SPREAD = 'kubexm.mensylisir.io/spread';

/** Whether it was told so before, then the node of each pod. */
const NODES: Command = sh`[ -x /usr/local/bin/kubectl ] || exit 1
${kubectl(sh`-n kube-system get deployment coredns -o ${`jsonpath={.spec.template.metadata.annotations.${SPREAD.replaceAll('.', '\\.')}}{"\\n"}`}`)} 2>/dev/null &&
${kubectl(sh`-n kube-system get pods -l k8s-app=kube-dns -o ${'jsonpath={range .items[*]}{.spec.nodeName}{"\\n"}{end}'}`)} 2>/dev/null`;
