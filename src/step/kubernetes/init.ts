import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import { kubeadmInit, type InitOptions } from '../../template/kubeadm/init.ts';
import { replacesKubeProxy } from '../../template/kubeadm/cluster-configuration.ts';
import { flagOf } from '../../util/json-fields.ts';
import { waitUntil } from '../common/wait-until.ts';
import { DONE } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext, StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { newToken, removeToken } from './bootstrap-token.ts';
import { ADMIN_CONF, kubectl } from '../kubernetes-object/kubectl.ts';
import { kubeadmCommand } from './kubeadm-command.ts';
import { hasExistingEtcdData } from './kept-data.ts';
import { isRecordedNode, recordedNode } from './node-record.ts';
import { runnerIfReachable } from '../contract/reachability.ts';
import { cleanUpHost } from './clean-up-host.ts';
import { stopKubeadm } from './stop-node.ts';

/** What the first master is made with, beside what is known only on the host or made there and then. */
export type InitOptionsFor = (view: StepView) => Omit<InitOptions, 'token'>;

/** The control plane runs on the first master, and others can join it. */
export const initFirstMaster = (planOf: InitOptionsFor): Step =>
  defineStep({
    name: 'kubeadm.init',
    summary: 'Start the control plane on the first master',
    timeoutMs: HALF_AN_HOUR,
    parts: (view) => {
      const plan = planOf(view);
      return [initialised(plan), recordedNode(plan.cluster)];
    },
  });

const HALF_AN_HOUR = 1_800_000;

function initialised(plan: ReturnType<InitOptionsFor>): GenericStep {
  const { cluster, host } = plan;
  return Object.freeze<GenericStep>({
    key: 'control-plane:first',
    summary: `start the control plane of ${cluster.name}`,
    formerly: [`start the control plane of ${cluster.name}`],
    async precheck(ctx) {
      const whole = await isRecordedNode(ctx);
      const { exit, stdout } = await ctx.runner.query(whole ? answers(host.name) : isInitialised(host.name, cluster));
      return exit === 0 ? DONE : { done: false, because: stdout.trim() || 'kubeadm has not run here' };
    },
    remember: async (ctx) => ({ whole: await isRecordedNode(ctx), kept: await hasExistingEtcdData(ctx, cluster) }),
    async run(ctx) {
      if (await isRecordedNode(ctx)) return awaitRecovery(ctx, host.name);
      await refuseSecond(ctx);
      const again = await ctx.runner.test(BEGUN);
      const ignoredChecks = [...plan.ignoredChecks, ...(again ? ownTraces(cluster) : [])];
      const token = newToken();
      const command = kubeadmCommand('init', cluster, { flags: sh`--skip-token-print` });
      await ctx.runner.run(command, { ...streamOutput(ctx), stdin: kubeadmInit({ ...plan, ignoredChecks, token }) });
      // kubeadm wants one; whoever joins gets one of their own.
      await removeToken(ctx.runner, token);
    },
    async rollback(ctx, before) {
      if (!flagOf(before, 'whole')) await cleanUpHost(ctx, stopKubeadm(cluster, ctx.host, flagOf(before, 'kept')));
    },
  });
}

/** It was whole once: nobody but a person takes it apart. */
async function awaitRecovery(ctx: StepContext, node: string): Promise<void> {
  const wait = waitUntil({
    key: 'wait:api-server',
    summary: 'the API server answers',
    condition: answers(node),
    timeoutMs: TWO_MINUTES,
  });
  await wait.run(ctx).catch((error: unknown) => {
    throw fail('CONTROL_PLANE_UNHEALTHY', { host: ctx.host.name }, error);
  });
}

const TWO_MINUTES = 120_000;

/** Where another master has a control plane a new one here would be a second cluster. */
async function refuseSecond(ctx: StepContext): Promise<void> {
  for (const other of ctx.hosts.withRole('master').filter(({ name }) => name !== ctx.host.name)) {
    const runner = runnerIfReachable(ctx, other);
    if (await runner?.test(sh`[ -e /etc/kubernetes/manifests/kube-apiserver.yaml ]`))
      throw fail('CONTROL_PLANE_ELSEWHERE', { host: ctx.host.name, other: other.name });
  }
}

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

/** All that kubeadm does at its end is there: settings, tokens for nodes, DNS, the proxy and the node itself. */
const isInitialised = (node: string, cluster: Cluster): Command => {
  const proxy = replacesKubeProxy(cluster) ? sh`` : sh`daemonset/kube-proxy`;
  const all = sh`node/${node} configmap/kubeadm-config configmap/kubelet-config deployment/coredns service/kube-dns ${proxy}`;
  return sh`${answers(node)} || exit 1
${kubectl(sh`-n kube-system get -o name ${all}`)} 2>&1 >/dev/null || exit 1
${kubectl(sh`-n kube-public get -o name configmap/cluster-info`)} 2>&1 >/dev/null`;
};

/** The API server is ready and knows its own node. */
const answers = (node: string): Command =>
  sh`[ -s ${ADMIN_CONF} ] && { ${kubectl(sh`get --raw /readyz`)} >/dev/null 2>&1 || { echo 'the API server is not ready'; false; }; } &&
${kubectl(sh`get -o name node/${node}`)} 2>&1 >/dev/null`;
