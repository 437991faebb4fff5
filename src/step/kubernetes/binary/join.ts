import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import type { Host } from '../../../common/host.ts';
import type { Secret } from '../../../common/secret.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { endpointServer } from '../../../config/model/addresses.ts';
import { fail } from '../../../common/errors/errors.ts';
import { sh } from '../../../runner/command.ts';
import { certificatePath, readPair } from '../../../pki/store.ts';
import { kubeconfig } from '../../../template/kubernetes/kubeconfig.ts';
import { KUBELET, KUBELET_KUBECONFIG } from '../../../template/kubernetes/paths.ts';
import { flagOf } from '../../../util/json-fields.ts';
import { clusterHost } from '../../contract/cluster-host.ts';
import { command } from '../../common/command.ts';
import { waitUntil } from '../../common/wait-until.ts';
import { DONE } from '../../contract/finding.ts';
import { kubectl } from '../../kubernetes-object/kubectl.ts';
import { runnerIfReachable } from '../../contract/reachability.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { forgetNode } from '../bar-node.ts';
import { withToken } from '../bootstrap-token.ts';
import { isRegistered, registered } from '../join.ts';
import { isRecordedNode, recordedNode } from '../node-record.ts';
import { cleanUpPods } from '../clean-up-host.ts';
import { STOP_PODS } from '../stop-node.ts';
import { ownApiServer } from './kubeconfigs.ts';

export interface JoinOptions {
  readonly cluster: Cluster;
  /** The first master. It joins through its own API server. */
  readonly first: Host;
  /** The local folder of the cluster. */
  readonly folder: string;
}

/** Joins the node to the cluster: its kubelet obtains a certificate with a bootstrap token. */
export const joinNode = (options: JoinOptions): Step =>
  defineStep({
    name: 'kubelet.join',
    summary: 'Join the node to the cluster',
    timeoutMs: TEN_MINUTES,
    parts: ({ host }) => [
      joined(options, clusterHost(options.cluster, host)),
      bootstrapKubeconfigRemoved,
      recordedNode(options.cluster),
    ],
  });

const TEN_MINUTES = 600_000;

function joined(options: JoinOptions, host: ClusterHost): GenericStep {
  const { cluster, first } = options;
  const deleteNode = kubectl(sh`delete node ${host.name} --ignore-not-found`);
  const hasJoined = async (ctx: StepContext) =>
    (await ctx.runner.test(HAS_CERTIFICATE)) && (await isRegistered(ctx, { host, first }));
  return Object.freeze<GenericStep>({
    key: 'node:joined',
    summary: `join ${host.name} to ${cluster.name}`,
    formerly: [`join ${host.name} to ${cluster.name}`],
    precheck: async (ctx) => ((await hasJoined(ctx)) ? DONE : { done: false, because: 'has not joined yet' }),
    remember: async (ctx) => ({ whole: await isRecordedNode(ctx) }),
    async run(ctx) {
      // Checked again, so that a node that is only disconnected is not reset.
      if (await hasJoined(ctx)) return;
      await ctx.runner.run(LEAVE);
      // A node object of an earlier attempt would still look Ready for a while.
      await ctx.on(first).run(forgetNode(cluster, host.name));
      await withToken(ctx.on(first), (token) => bootstrap(ctx, options, host, token));
    },
    async rollback(ctx, before) {
      if (flagOf(before, 'whole')) return;
      await ctx.runner.run(LEAVE);
      // The kubelet may have started Pods already.
      await cleanUpPods(ctx, STOP_PODS);
      await runnerIfReachable(ctx, first)?.query(deleteNode);
    },
  });
}

/** A run that was killed while the node joined leaves the bootstrap kubeconfig behind. */
const bootstrapKubeconfigRemoved: GenericStep = command({
  key: 'command:bootstrap-kubeconfig',
  summary: `remove ${KUBELET_KUBECONFIG.bootstrap}`,
  check: sh`[ ! -e ${KUBELET_KUBECONFIG.bootstrap} ]`,
  run: sh`rm -f -- ${KUBELET_KUBECONFIG.bootstrap}`,
  because: 'exists, but is needed only while the node joins',
});

const HAS_CERTIFICATE = sh`[ -s ${KUBELET_KUBECONFIG.own} ] && [ -s /var/lib/kubelet/pki/kubelet-client-current.pem ]`;

/** Removes certificates of an earlier cluster, which the API server would reject. */
const LEAVE = sh`systemctl stop ${KUBELET.unit} 2>/dev/null || true
rm -rf -- ${KUBELET_KUBECONFIG.own} ${KUBELET_KUBECONFIG.bootstrap} /var/lib/kubelet/pki`;

async function bootstrap(ctx: StepContext, options: JoinOptions, host: ClusterHost, token: Secret): Promise<void> {
  const { first } = options;
  const content = await bootstrapConfig(options, host, token);
  await ctx.runner.write({ path: KUBELET_KUBECONFIG.bootstrap, content, mode: 0o600, owner: 'root:root' });
  try {
    await ctx.runner.run(sh`systemctl daemon-reload && systemctl restart ${KUBELET.unit}`);
    await waitUntil({
      key: 'wait:kubelet-certificate',
      summary: 'the kubelet has a client certificate',
      condition: HAS_CERTIFICATE,
      timeoutMs: FOUR_MINUTES,
    }).run(ctx);
    await registered(host.name, first).run(ctx);
  } finally {
    await ctx.runner.run(sh`rm -f -- ${KUBELET_KUBECONFIG.bootstrap}`);
  }
}

const FOUR_MINUTES = 240_000;

/** The kubelet of a master uses its local API server, as with kubeadm, so it does not depend on the load balancer. */
async function bootstrapConfig({ cluster, folder }: JoinOptions, host: ClusterHost, token: Secret): Promise<string> {
  const path = kubernetesCertificates(folder);
  const { certificate } = await readPair(path, 'ca');
  if (certificate === undefined) throw fail('FILE_NOT_FOUND', { path: certificatePath(path, 'ca') });
  return kubeconfig({
    cluster: cluster.name,
    server: host.roles.includes('master') ? ownApiServer(cluster, host) : endpointServer(cluster),
    ca: certificate,
    user: 'tls-bootstrap-token-user',
    credentials: { type: 'token', token },
  });
}
