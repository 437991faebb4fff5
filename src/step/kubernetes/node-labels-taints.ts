import type { Json } from '../../common/json.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { sh, shellWords, type Command } from '../../runner/command.ts';
import { taintsOf } from '../../template/kubeadm/node-registration.ts';
import { fieldOf, textOf } from '../../util/json-fields.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { findingOf } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';

/** Sets the role labels of the node and the labels and taints of the cluster file. Others are left unchanged. */
export const setNodeLabelsAndTaints = (cluster: Cluster, first: Host): Step =>
  defineStep({
    name: 'node.set-up',
    summary: 'Set the labels and taints of the node',
    parts: ({ host }) => [labelsAndTaints(clusterHost(cluster, host), first)],
  });

function labelsAndTaints(host: ClusterHost, first: Host): GenericStep {
  const labels = { ...roleLabels(host), ...host.labels };
  const taints = taintsOf(host).map(({ key, value, effect }) => `${key}=${value}:${effect}`);
  const findMissing = async (ctx: StepContext) => {
    const { stdout } = await ctx.on(first).query(kubectl(sh`get node ${host.name} -o json`));
    const node: Json = stdout.trim().startsWith('{') ? JSON.parse(stdout) : {};
    return {
      labels: Object.entries(labels).filter(([key, value]) => within(node, ['metadata', 'labels', key]) !== value),
      taints: taints.filter((taint) => !taintsIn(node).includes(taint)),
      untaint: runsWorkloads(host) && taintsIn(node).includes(CONTROL_PLANE),
    };
  };
  return Object.freeze<GenericStep>({
    key: 'node:settings',
    summary: `set the labels and taints of ${host.name}`,
    async precheck(ctx) {
      const missing = await findMissing(ctx);
      return findingOf([
        ...missing.labels.map(([key, value]) => `label ${key}=${value} is missing`),
        ...missing.taints.map((taint) => `taint ${taint} is missing`),
        ...(missing.untaint ? [`has the taint ${CONTROL_PLANE}`] : []),
      ]);
    },
    async run(ctx) {
      const missing = await findMissing(ctx);
      const pairs = missing.labels.map(([key, value]) => `${key}=${value}`);
      const commands: readonly Command[] = [
        ...(pairs.length > 0 ? [sh`label --overwrite node ${host.name} ${shellWords(pairs)}`] : []),
        ...(missing.taints.length > 0 ? [sh`taint --overwrite node ${host.name} ${shellWords(missing.taints)}`] : []),
        ...(missing.untaint ? [sh`taint node ${host.name} ${`${CONTROL_PLANE}-`}`] : []),
      ];
      for (const each of commands) await ctx.on(first).run(kubectl(each), streamOutput(ctx));
    },
  });
}

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane=:NoSchedule';

const runsWorkloads = ({ roles }: ClusterHost) => roles.includes('master') && roles.includes('worker');

const roleLabels = ({ roles }: ClusterHost): Readonly<Record<string, string>> => ({
  ...(roles.includes('master') && {
    'node-role.kubernetes.io/control-plane': '',
    'node.kubernetes.io/exclude-from-external-load-balancers': '',
  }),
  ...(roles.includes('worker') && { 'node-role.kubernetes.io/worker': '' }),
});

function taintsIn(node: Json): readonly string[] {
  const list = within(node, ['spec', 'taints']);
  if (!Array.isArray(list)) return [];
  return list.map((taint: Json) => `${textOf(taint, 'key')}=${textOf(taint, 'value')}:${textOf(taint, 'effect')}`);
}

const within = (json: Json, path: readonly string[]): Json =>
  path.reduce<Json>((inner, name) => fieldOf(inner, name) ?? null, json);
