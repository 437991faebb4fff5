import { rm } from 'node:fs/promises';
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
import { recordConfiguration } from './applied-configuration.ts';
import { kubeadmConfiguration, secretsChecksum } from './kubeadm-configuration.ts';
import { newToken, removeToken } from './bootstrap-token.ts';
import { ADMIN_CONF, kubectl } from '../kubernetes-object/kubectl.ts';
import { kubeadmCommand, kubeadmErrors } from './kubeadm-command.ts';
import { hasExistingEtcdData } from './existing-etcd-data.ts';
import { ifRecordedNode, isRecordedNode, recordedNode } from './node-record.ts';
import { runnerIfReachable } from '../contract/reachability.ts';
import { cleanUpHost } from './clean-up-host.ts';
import { stopKubeadm } from './stop-node.ts';

/** The options of kubeadm init for a host, without the token, which is created when the step runs. */
export type InitOptionsFor = (view: StepView) => Omit<InitOptions, 'token'>;

/** Initializes the control plane on the first master, so that other nodes can join. */
export const initFirstMaster = (optionsFor: InitOptionsFor, localKubeconfig: string): Step =>
  defineStep({
    name: 'kubeadm.init',
    summary: 'Initialize the control plane on the first master',
    timeoutMs: HALF_AN_HOUR,
    parts: (view) => {
      const options = optionsFor(view);
      return [initialized(options, localKubeconfig), recordedNode(options.cluster)];
    },
  });

const HALF_AN_HOUR = 1_800_000;

function initialized(options: ReturnType<InitOptionsFor>, localKubeconfig: string): GenericStep {
  const { cluster, host } = options;
  return Object.freeze<GenericStep>({
    key: 'control-plane:first',
    summary: `run kubeadm init for ${cluster.name}`,
    formerly: [`start the control plane of ${cluster.name}`],
    async precheck(ctx) {
      const check = ifRecordedNode(ctx, isReady(host.name), isInitialized(host.name, cluster));
      const { exit, stdout } = await ctx.runner.query(check);
      return exit === 0 ? DONE : { done: false, because: stdout.trim() || 'not initialized' };
    },
    remember: async (ctx) => ({ whole: await isRecordedNode(ctx), kept: await hasExistingEtcdData(ctx, cluster) }),
    async run(ctx) {
      if (await isRecordedNode(ctx)) return awaitRecovery(ctx, host.name);
      await refuseSecondControlPlane(ctx);
      const retry = await ctx.runner.test(WAS_STARTED);
      // A new control plane has a new CA: the one of an earlier cluster with the same name is no longer valid.
      if (!retry) await rm(localKubeconfig, { force: true });
      const ignoredChecks = [...options.ignoredChecks, ...(retry ? checksFailingOnRetry(cluster) : [])];
      const token = newToken();
      const command = kubeadmCommand('init', cluster, { flags: sh`--skip-token-print` });
      const stdin = kubeadmInit({ ...options, ignoredChecks, token });
      await ctx.runner.run(command, { ...streamOutput(ctx), stdin, errorOutput: kubeadmErrors });
      // kubeadm init requires a token, but every node joins with its own.
      await removeToken(ctx.runner, token);
      const secrets = cluster.kubernetes.encryptionAtRest ? { secrets: secretsChecksum } : {};
      await recordConfiguration(ctx, { ...kubeadmConfiguration(options), ...secrets });
    },
    async rollback(ctx, before) {
      if (!flagOf(before, 'whole')) await cleanUpHost(ctx, stopKubeadm(cluster, ctx.host, flagOf(before, 'kept')));
    },
  });
}

/** A control plane that was once initialized is never reset automatically. */
async function awaitRecovery(ctx: StepContext, node: string): Promise<void> {
  const wait = waitUntil({
    key: 'wait:api-server',
    summary: 'the API server is ready',
    condition: isReady(node),
    timeoutMs: TWO_MINUTES,
  });
  await wait.run(ctx).catch((error: unknown) => {
    throw fail('CONTROL_PLANE_UNHEALTHY', { host: ctx.host.name }, error);
  });
}

const TWO_MINUTES = 120_000;

/** If another master has a control plane, initializing one here would create a second cluster. */
async function refuseSecondControlPlane(ctx: StepContext): Promise<void> {
  for (const other of ctx.hosts.withRole('master').filter(({ name }) => name !== ctx.host.name)) {
    const runner = runnerIfReachable(ctx, other);
    if (await runner?.test(sh`[ -e /etc/kubernetes/manifests/kube-apiserver.yaml ]`))
      throw fail('CONTROL_PLANE_ELSEWHERE', { host: ctx.host.name, other: other.name });
  }
}

/** Succeeds if an earlier attempt already started components. */
const WAS_STARTED = sh`[ -e /etc/kubernetes/manifests/kube-apiserver.yaml ] || [ -e /etc/kubernetes/kubelet.conf ]`;

/** The kubeadm preflight checks that fail because of an earlier attempt; kubeadm reuses the files it finds. */
const checksFailingOnRetry = (cluster: Cluster): readonly string[] => [
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
    (name) => `FileAvailable--etc-kubernetes-manifests-${name}.yaml`,
  ),
  ...[apiPort(cluster), 10_250, 10_257, 10_259, 2379, 2380].map((port) => `Port-${port}`),
  ...(cluster.etcd.type === 'kubeadm' ? [`DirAvailable-${cluster.etcd.dataDir.replaceAll('/', '-')}`] : []),
];

/** Checks for the objects that kubeadm init creates last: ConfigMaps, CoreDNS, kube-proxy and the node itself. */
const isInitialized = (node: string, cluster: Cluster): Command => {
  const proxy = replacesKubeProxy(cluster) ? sh`` : sh`daemonset/kube-proxy`;
  const all = sh`node/${node} configmap/kubeadm-config configmap/kubelet-config deployment/coredns service/kube-dns ${proxy}`;
  return sh`${isReady(node)} || exit 1
${kubectl(sh`-n kube-system get -o name ${all}`)} 2>&1 >/dev/null || exit 1
${kubectl(sh`-n kube-public get -o name configmap/cluster-info`)} 2>&1 >/dev/null`;
};

/** Checks that the API server is ready and its own node is registered. */
const isReady = (node: string): Command =>
  sh`[ -s ${ADMIN_CONF} ] && { ${kubectl(sh`get --raw /readyz`)} >/dev/null 2>&1 || { echo 'the API server is not ready'; false; }; } &&
${kubectl(sh`get -o name node/${node}`)} 2>&1 >/dev/null`;
