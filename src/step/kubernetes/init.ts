import type { Cluster } from '../../config/cluster.ts';
import { criSocket } from '../../config/cri-socket.ts';
import { apiPort } from '../../config/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import { kubeadmInit, type InitOptions } from '../../template/kubeadm/init.ts';
import { DONE } from '../difference.ts';
import { hearing } from '../hearing.ts';
import { defineStep, type GenericStep, type Step, type StepView } from '../step.ts';
import { newToken, removeToken } from './bootstrap-token.ts';
import { ADMIN_CONF, kubectl } from '../kubectl.ts';
import { resetNode } from './reset.ts';

/** What the first master is made with, beside what is known only on the host or made there and then. */
export type InitPlan = (view: StepView) => Omit<InitOptions, 'token'>;

/** The control plane runs on the first master, and others can join it. */
export const initFirstMaster = (planOf: InitPlan): Step =>
  defineStep({
    name: 'kubeadm.init',
    summary: 'Start the control plane on the first master',
    timeoutMs: HALF_AN_HOUR,
    parts: (view) => [initialised(planOf(view))],
  });

const HALF_AN_HOUR = 1_800_000;

function initialised(plan: ReturnType<InitPlan>): GenericStep {
  const { cluster, host } = plan;
  return Object.freeze<GenericStep>({
    summary: `start the control plane of ${cluster.name}`,
    async precheck({ runner }) {
      const { exit, stdout } = await runner.look(isInitialised(host.name));
      return exit === 0 ? DONE : { done: false, because: stdout.trim() || 'kubeadm has not run here' };
    },
    async run(ctx) {
      const again = await ctx.runner.test(BEGUN);
      const ignoredChecks = [...plan.ignoredChecks, ...(again ? ownTraces(cluster) : [])];
      const token = newToken();
      await ctx.runner.run(INIT, { ...hearing(ctx), stdin: kubeadmInit({ ...plan, ignoredChecks, token }) });
      // kubeadm wants one; whoever joins gets one of their own.
      await removeToken(ctx.runner, token);
    },
    rollback: (ctx) => resetNode(ctx, criSocket(cluster)),
  });
}

// Tokens and keys go through standard input: no file of the host ever has them.
const INIT: Command = {
  text: sh`PATH=/usr/local/bin:$PATH kubeadm init --config /dev/stdin --skip-token-print`.text,
  display: 'kubeadm init',
};

/** An earlier try has come so far that its parts run. */
const BEGUN = sh`[ -e /etc/kubernetes/manifests/kube-apiserver.yaml ] || [ -e /etc/kubernetes/kubelet.conf ]`;

/** What an earlier try of ours may have left: kubeadm takes up its own certificates and files where it finds them. */
const ownTraces = (cluster: Cluster): readonly string[] => [
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
    (name) => `FileAvailable--etc-kubernetes-manifests-${name}.yaml`,
  ),
  ...[apiPort(cluster), 10_250, 10_257, 10_259, 2379, 2380].map((port) => `Port-${port}`),
  ...(cluster.etcd.type === 'kubeadm' ? [`DirAvailable-${cluster.etcd.dataDir.replaceAll('/', '-')}`] : []),
];

/** All that kubeadm does at its end is there: settings, tokens for nodes, DNS and the node itself. */
const isInitialised = (node: string): Command =>
  sh`[ -s ${ADMIN_CONF} ] || exit 1
${kubectl(sh`get --raw /readyz`)} >/dev/null 2>&1 || { echo 'the API server is not ready'; exit 1; }
${kubectl(sh`-n kube-system get -o name node/${node} configmap/kubeadm-config configmap/kubelet-config deployment/coredns`)} 2>&1 >/dev/null || exit 1
${kubectl(sh`-n kube-public get -o name configmap/cluster-info`)} 2>&1 >/dev/null`;
