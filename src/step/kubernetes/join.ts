import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { limitsAnonymous } from '../../config/model/security.ts';
import { endpointServer } from '../../config/model/addresses.ts';
import { fail } from '../../common/errors/errors.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { kubeadmJoin, type JoinOptions } from '../../template/kubeadm/join.ts';
import { kubeconfig, publicKubeconfig } from '../../template/kubernetes/kubeconfig.ts';
import type { Secret } from '../../common/secret.ts';
import { flagOf } from '../../util/json-fields.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { DONE } from '../contract/finding.ts';
import { waitUntil } from '../common/wait-until.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext, StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { recordConfiguration } from './applied-configuration.ts';
import type { KubeadmConfiguration } from './kubeadm-configuration.ts';
import { forgetNode } from './bar-node.ts';
import { withToken } from './bootstrap-token.ts';
import { copyCaFiles } from './copy-ca-files.ts';
import { withEndpointOverride } from './endpoint-override.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import { kubeadmCommand, kubeadmErrors } from './kubeadm-command.ts';
import { hasExistingEtcdData } from './existing-etcd-data.ts';
import { isRecordedNode, recordedNode } from './node-record.ts';
import { runnerIfReachable } from '../contract/reachability.ts';
import { JOIN_CONF, cleanUpHost } from './clean-up-host.ts';
import type { StackedMembers } from './stacked-members.ts';
import { stopKubeadm } from './stop-node.ts';

/** The options of kubeadm join, without the token and the discovery file, which are created when the node joins. */
export interface JoinRequest extends Omit<JoinOptions, 'token' | 'discovery'> {
  /** A running master. */
  readonly first: Host;
  /** The checksums of what kubeadm generates on the node. */
  readonly configuration: KubeadmConfiguration;
}

/** Joins the node to the cluster. */
export const joinNode = (
  name: 'kubeadm.join-master' | 'kubeadm.join-worker',
  requestFor: (view: StepView) => JoinRequest,
  members?: StackedMembers,
): Step =>
  defineStep({
    name,
    summary: name === 'kubeadm.join-master' ? 'Join the master to the cluster' : 'Join the worker to the cluster',
    timeoutMs: HALF_AN_HOUR,
    parts: (view) => {
      const request = requestFor(view);
      return [joined(request, members), recordedNode(request.cluster)];
    },
  });

const HALF_AN_HOUR = 1_800_000;

function joined(request: JoinRequest, members: StackedMembers | undefined): GenericStep {
  const { cluster, host, first } = request;
  const isMaster = host.roles.includes('master');
  const stacked = cluster.etcd.type === 'kubeadm';
  const reset = (ctx: StepContext, keepsData: boolean) =>
    withEndpointOverride(ctx, override, () => cleanUpHost(ctx, stopKubeadm(cluster, ctx.host, keepsData)));
  const override = { cluster, host, address: clusterHost(cluster, first).internalAddresses[0] };
  return Object.freeze<GenericStep>({
    key: 'node:joined',
    summary: `join ${host.name} to ${cluster.name}`,
    formerly: [`join ${host.name} to ${cluster.name}`],
    async precheck(ctx) {
      const isConfigured = await ctx.runner.test(isJoined(isMaster, stacked));
      if (!isConfigured) return { done: false, because: 'has not joined yet' };
      return (await isRegistered(ctx, request)) ? DONE : { done: false, because: 'not registered in the cluster' };
    },
    remember: async (ctx) => ({ whole: await isRecordedNode(ctx), kept: await hasExistingEtcdData(ctx, cluster) }),
    async run(ctx) {
      const master = ctx.on(first);
      // Checked again, so that a node that is only disconnected is not reset.
      if (
        (await isRecordedNode(ctx)) &&
        (await isRegistered(ctx, request)) &&
        (await ctx.runner.test(isJoined(isMaster, stacked)))
      )
        return;
      const ca = await readCa(master, first);
      if (await ctx.runner.test(LEFTOVERS)) await reset(ctx, false);
      // A node object of an earlier attempt may still be Ready and would block the join.
      await master.run(forgetNode(cluster, host.name));
      // kubeadm would start the member of an earlier attempt again, without its data.
      if (isMaster) await members?.forgetFailedJoins(ctx, first, host);
      if (isMaster) await copyCaFiles(master, ctx.runner, stacked);
      await withToken(master, (token) =>
        withEndpointOverride(ctx, override, async () => {
          await join(ctx, request, { ca, token });
          await registered(host.name, first).run(ctx);
        }),
      );
      const { kubelet, 'control-plane': controlPlane } = request.configuration;
      await recordConfiguration(ctx, { kubelet, ...(isMaster && { 'control-plane': controlPlane }) });
    },
    async rollback(ctx, before) {
      if (flagOf(before, 'whole')) return;
      try {
        await reset(ctx, flagOf(before, 'kept'));
      } finally {
        await runnerIfReachable(ctx, first)?.query(kubectl(sh`delete node ${host.name} --ignore-not-found`));
        if (isMaster) await members?.forget(ctx, first, host);
      }
    },
  });
}

/** Whether the cluster has a node of this name. Throws if the API server does not respond, because the node may exist. */
export async function isRegistered(
  ctx: StepContext,
  { host, first }: Pick<JoinRequest, 'host' | 'first'>,
): Promise<boolean> {
  const { exit, stdout } = await ctx.on(first).query(kubectl(sh`get node ${host.name} --ignore-not-found -o name`));
  if (exit !== 0) throw fail('CONTROL_PLANE_UNHEALTHY', { host: first.name });
  return stdout.trim() !== '';
}

/** Files of an incomplete attempt, which make kubeadm fail. */
const LEFTOVERS = sh`ls /etc/kubernetes/*kubelet.conf /etc/kubernetes/pki/ca.crt /etc/kubernetes/manifests/kube-*.yaml 2>/dev/null | grep -q .`;

const isJoined = (isMaster: boolean, stacked: boolean): Command =>
  isMaster
    ? sh`[ -s /etc/kubernetes/kubelet.conf ] && [ -s /etc/kubernetes/admin.conf ] && [ -s /etc/kubernetes/manifests/kube-apiserver.yaml ]${stacked ? sh` && [ -s /etc/kubernetes/manifests/etcd.yaml ]` : sh``}`
    : sh`[ -s /etc/kubernetes/kubelet.conf ]`;

async function readCa(master: Runner, { name }: Host): Promise<string> {
  const certificate = await master.read('/etc/kubernetes/pki/ca.crt');
  if (certificate === undefined)
    throw fail('CONTROL_PLANE_MISSING', { host: name, path: '/etc/kubernetes/pki/ca.crt' });
  return certificate;
}

/** The kubelet registers the node shortly after kubeadm has finished. */
export const registered = (node: string, first: Host): GenericStep =>
  waitUntil({
    key: 'wait:node-known',
    summary: `${node} is registered`,
    condition: kubectl(sh`get node ${node} -o name`),
    timeoutMs: 120_000,
    on: first,
  });

/** Passes the CA in a discovery file. Discovery by CA hash would have to wait until the token is signed, which takes seconds. */
async function join(ctx: StepContext, request: JoinRequest, { ca, token }: Credentials): Promise<void> {
  const command = kubeadmCommand('join', request.cluster, {
    files: [{ path: JOIN_CONF, content: discoveryFile(request.cluster, { ca, token }) }],
  });
  await ctx.runner.run(command, {
    ...streamOutput(ctx),
    errorOutput: kubeadmErrors,
    stdin: kubeadmJoin({ ...request, discovery: JOIN_CONF, token }),
  });
}

/** kubeadm reads cluster-info first: anonymously where API servers allow that, otherwise with the token. */
function discoveryFile(cluster: Cluster, { ca, token }: Credentials): string {
  const server = endpointServer(cluster);
  if (!limitsAnonymous(cluster)) return publicKubeconfig(server, ca);
  return kubeconfig({ cluster: cluster.name, server, ca, user: 'token', credentials: { type: 'token', token } });
}

/** The CA by which the node verifies the cluster, and the token by which the cluster accepts the node. */
interface Credentials {
  readonly ca: string;
  readonly token: Secret;
}
