import type { Host } from '../../common/host.ts';
import { fail } from '../../common/errors.ts';
import { criSocket } from '../../config/cri-socket.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { kubeadmJoin, type JoinOptions } from '../../template/kubeadm/join.ts';
import { DONE } from '../difference.ts';
import { waitUntil } from '../common/wait-until.ts';
import { hearing } from '../hearing.ts';
import { defineStep, type GenericStep, type Step, type StepContext } from '../step.ts';
import { withToken } from './bootstrap-token.ts';
import { copyAuthorities } from './authorities.ts';
import { caPin } from './ca-pin.ts';
import { onDetour } from './detour.ts';
import { kubectl } from '../kubectl.ts';
import { resetNode } from './reset.ts';

/** What a node joins with, beside what is made for it there and then. */
export interface JoinPlan extends Omit<JoinOptions, 'token' | 'caPins'> {
  /** A master that is there already. */
  readonly first: Host;
}

/** A node belongs to the cluster. */
export const joinNode = (name: 'kubeadm.join-master' | 'kubeadm.join-worker', planOf: (host: Host) => JoinPlan): Step =>
  defineStep({
    name,
    summary: name === 'kubeadm.join-master' ? 'Join another master' : 'Join a worker',
    timeoutMs: HALF_AN_HOUR,
    parts: ({ host }) => [joined(planOf(host))],
  });

const HALF_AN_HOUR = 1_800_000;

function joined(plan: JoinPlan): GenericStep {
  const { cluster, host, first } = plan;
  const isMaster = host.roles.includes('master');
  return Object.freeze<GenericStep>({
    summary: `join ${host.name} to ${cluster.name}`,
    async precheck(ctx) {
      const known = ctx.on(first).test(kubectl(sh`get node ${host.name} -o name >/dev/null 2>&1`));
      const [isKnown, isConfigured] = await Promise.all([known, ctx.runner.test(isJoined(isMaster))]);
      if (isKnown && isConfigured) return DONE;
      return { done: false, because: isConfigured ? 'the cluster does not know it' : 'it has not joined yet' };
    },
    async run(ctx) {
      const master = ctx.on(first);
      if (await ctx.runner.test(TRACES)) await resetNode(ctx, criSocket(cluster));
      // What it was before would look alive for a while, and keep it out.
      await master.run(kubectl(sh`delete node ${host.name} --ignore-not-found`));
      const caPins = [caPin(await authorityOf(master, first))];
      if (isMaster) await copyAuthorities(master, ctx.runner, cluster.etcd.type === 'kubeadm');
      const detour = { cluster, host, via: plan.server.replace(/:\d+$/, '') };
      await withToken(master, (token) =>
        onDetour(ctx, detour, async () => {
          await join(ctx, kubeadmJoin({ ...plan, token, caPins }));
          await known(host.name, first).run(ctx);
        }),
      );
    },
    rollback: (ctx) => resetNode(ctx, criSocket(cluster)),
  });
}

/** Of a try that came to no end; kubeadm would stumble over them. */
const TRACES = sh`ls /etc/kubernetes/*kubelet.conf /etc/kubernetes/pki/ca.crt /etc/kubernetes/manifests/kube-*.yaml 2>/dev/null | grep -q .`;

const isJoined = (isMaster: boolean): Command =>
  isMaster
    ? sh`[ -s /etc/kubernetes/kubelet.conf ] && [ -s /etc/kubernetes/admin.conf ] && [ -s /etc/kubernetes/manifests/kube-apiserver.yaml ]`
    : sh`[ -s /etc/kubernetes/kubelet.conf ]`;

async function authorityOf(master: Runner, { name }: Host): Promise<string> {
  const certificate = await master.read('/etc/kubernetes/pki/ca.crt');
  if (certificate === undefined)
    throw fail('CONTROL_PLANE_MISSING', { host: name, path: '/etc/kubernetes/pki/ca.crt' });
  return certificate;
}

/** The kubelet makes itself known a moment after kubeadm has gone. */
const known = (node: string, first: Host): GenericStep =>
  waitUntil({
    summary: `the cluster knows ${node}`,
    question: kubectl(sh`get node ${node} -o name`),
    timeoutMs: 120_000,
    at: first,
  });

const join = (ctx: StepContext, stdin: string) => ctx.runner.run(JOIN, { ...hearing(ctx), stdin });
const JOIN: Command = {
  text: sh`PATH=/usr/local/bin:$PATH kubeadm join --config /dev/stdin`.text,
  display: 'kubeadm join',
};
