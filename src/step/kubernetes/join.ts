import type { Host } from '../../common/host.ts';
import { endpointServer } from '../../config/model/addresses.ts';
import { fail } from '../../common/errors/errors.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { kubeadmJoin, type JoinOptions } from '../../template/kubeadm/join.ts';
import { publicKubeconfig } from '../../template/kubernetes/kubeconfig.ts';
import type { Secret } from '../../common/secret.ts';
import { flagOf } from '../../util/json-fields.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { DONE } from '../contract/finding.ts';
import { waitUntil } from '../common/wait-until.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { withToken } from './bootstrap-token.ts';
import { copyCaFiles } from './copy-ca-files.ts';
import { withEndpointOverride } from './endpoint-override.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import { kubeadmCommand } from './kubeadm-command.ts';
import { hasExistingEtcdData } from './kept-data.ts';
import { isRecordedNode, recordedNode } from './node-record.ts';
import { runnerIfReachable } from '../contract/reachability.ts';
import { JOIN_CONF, cleanUpHost } from './clean-up-host.ts';
import { stopKubeadm } from './stop-node.ts';

/** What a node joins with, beside what is made for it there and then. */
export interface JoinRequest extends Omit<JoinOptions, 'token' | 'discovery'> {
  /** A master that is there already. */
  readonly first: Host;
}

/** A node belongs to the cluster. */
export const joinNode = (name: 'kubeadm.join-master' | 'kubeadm.join-worker', planOf: (host: Host) => JoinRequest): Step =>
  defineStep({
    name,
    summary: name === 'kubeadm.join-master' ? 'Join another master' : 'Join a worker',
    timeoutMs: HALF_AN_HOUR,
    parts: ({ host }) => {
      const plan = planOf(host);
      return [joined(plan), recordedNode(plan.cluster)];
    },
  });

const HALF_AN_HOUR = 1_800_000;

function joined(plan: JoinRequest): GenericStep {
  const { cluster, host, first } = plan;
  const isMaster = host.roles.includes('master');
  const stacked = cluster.etcd.type === 'kubeadm';
  const reset = (ctx: StepContext, kept: boolean) =>
    withEndpointOverride(ctx, detour, () => cleanUpHost(ctx, stopKubeadm(cluster, ctx.host, kept)));
  const detour = { cluster, host, via: clusterHost(cluster, first).internalAddresses[0] };
  return Object.freeze<GenericStep>({
    key: 'node:joined',
    summary: `join ${host.name} to ${cluster.name}`,
    formerly: [`join ${host.name} to ${cluster.name}`],
    async precheck(ctx) {
      const isConfigured = await ctx.runner.test(isJoined(isMaster, stacked));
      if (!isConfigured) return { done: false, because: 'it has not joined yet' };
      return (await isKnown(ctx, plan)) ? DONE : { done: false, because: 'the cluster does not know it' };
    },
    remember: async (ctx) => ({ whole: await isRecordedNode(ctx), kept: await hasExistingEtcdData(ctx, cluster) }),
    async run(ctx) {
      const master = ctx.on(first);
      // Asked once more: a node that is only out of touch is not to be taken apart.
      if ((await isRecordedNode(ctx)) && (await isKnown(ctx, plan)) && (await ctx.runner.test(isJoined(isMaster, stacked))))
        return;
      const authority = await authorityOf(master, first);
      if (await ctx.runner.test(TRACES)) await reset(ctx, false);
      // What it was before would look alive for a while, and keep it out.
      await master.run(kubectl(sh`delete node ${host.name} --ignore-not-found`));
      if (isMaster) await copyCaFiles(master, ctx.runner, stacked);
      await withToken(master, (token) =>
        withEndpointOverride(ctx, detour, async () => {
          await join(ctx, plan, { authority, token });
          await known(host.name, first).run(ctx);
        }),
      );
    },
    async rollback(ctx, before) {
      if (flagOf(before, 'whole')) return;
      await reset(ctx, flagOf(before, 'kept'));
      await runnerIfReachable(ctx, first)?.query(kubectl(sh`delete node ${host.name} --ignore-not-found`));
    },
  });
}

/** No answer is not the answer no. */
export async function isKnown(ctx: StepContext, { host, first }: Pick<JoinRequest, 'host' | 'first'>): Promise<boolean> {
  const { exit, stdout } = await ctx.on(first).query(kubectl(sh`get node ${host.name} --ignore-not-found -o name`));
  if (exit !== 0) throw fail('CONTROL_PLANE_UNHEALTHY', { host: first.name });
  return stdout.trim() !== '';
}

/** Of a try that came to no end; kubeadm would stumble over them. */
const TRACES = sh`ls /etc/kubernetes/*kubelet.conf /etc/kubernetes/pki/ca.crt /etc/kubernetes/manifests/kube-*.yaml 2>/dev/null | grep -q .`;

const isJoined = (isMaster: boolean, stacked: boolean): Command =>
  isMaster
    ? sh`[ -s /etc/kubernetes/kubelet.conf ] && [ -s /etc/kubernetes/admin.conf ] && [ -s /etc/kubernetes/manifests/kube-apiserver.yaml ]${stacked ? sh` && [ -s /etc/kubernetes/manifests/etcd.yaml ]` : sh``}`
    : sh`[ -s /etc/kubernetes/kubelet.conf ]`;

async function authorityOf(master: Runner, { name }: Host): Promise<string> {
  const certificate = await master.read('/etc/kubernetes/pki/ca.crt');
  if (certificate === undefined)
    throw fail('CONTROL_PLANE_MISSING', { host: name, path: '/etc/kubernetes/pki/ca.crt' });
  return certificate;
}

/** The kubelet makes itself known a moment after kubeadm has gone. */
export const known = (node: string, first: Host): GenericStep =>
  waitUntil({
    key: 'wait:node-known',
    summary: `the cluster knows ${node}`,
    condition: kubectl(sh`get node ${node} -o name`),
    timeoutMs: 120_000,
    on: first,
  });

/** The authority is told by a file: one that kubeadm asks for with a pin is there only when a token was signed, seconds later. */
async function join(ctx: StepContext, plan: JoinRequest, { authority, token }: Introduction): Promise<void> {
  const command = kubeadmCommand('join', plan.cluster, {
    files: [{ path: JOIN_CONF, content: publicKubeconfig(endpointServer(plan.cluster), authority) }],
  });
  await ctx.runner.run(command, { ...streamOutput(ctx), stdin: kubeadmJoin({ ...plan, discovery: JOIN_CONF, token }) });
}

/** What a node knows of the cluster, and what the cluster knows it by. */
interface Introduction {
  readonly authority: string;
  readonly token: Secret;
}
