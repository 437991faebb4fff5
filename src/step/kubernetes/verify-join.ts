import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { responds } from '../contract/reachability.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import type { StackedMembers } from './stacked-members.ts';

/**
 * Removes new nodes from the cluster whose host stopped responding before it had joined. Nobody can roll back anything on
 * such a host. Runs on a master.
 */
export const verifyJoin = (options: VerifyJoinOptions): Step =>
  defineStep({
    name: 'kubernetes.verify-join',
    summary: 'Check that the new nodes have joined',
    parts: () => [joinedNodes(options)],
  });

export interface VerifyJoinOptions {
  readonly cluster: Cluster;
  readonly nodes: readonly Host[];
  readonly members: StackedMembers | undefined;
}

function joinedNodes(options: VerifyJoinOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: 'check:joined-nodes',
    summary: 'check that the new nodes respond',
    async precheck(ctx) {
      const silent = await silentNodes(ctx, options);
      return findingOf(silent.filter(isUnfinished).map(({ host }) => `${host.name} does not respond`));
    },
    async run(ctx) {
      const silent = await silentNodes(ctx, options);
      for (const { host, isInCluster } of silent) if (isInCluster) await forgetNode(ctx, options, host);
      const masters = silent.filter(({ host }) => host.roles.includes('master')).map(({ host }) => host.name);
      if (masters.length > 0) throw fail('JOIN_INCOMPLETE', { hosts: masters.join(', ') });
    },
    // It only undoes what others did.
    rollback: () => Promise.resolve(),
  });
}

interface SilentNode {
  readonly host: Host;
  /** The cluster has a Node object or an etcd member of it. */
  readonly isInCluster: boolean;
}

/** A worker without a Node object is quarantined like any other host. A run cannot continue without a master. */
const isUnfinished = ({ host, isInCluster }: SilentNode) => isInCluster || host.roles.includes('master');

async function silentNodes(ctx: StepContext, options: VerifyJoinOptions): Promise<readonly SilentNode[]> {
  const { cluster, nodes, members } = options;
  const answers = await Promise.all(nodes.map((host) => responds(ctx, host)));
  const silent = nodes.filter((_, index) => !answers[index]);
  return Promise.all(
    silent.map(async (host) => {
      const { stdout } = await ctx.runner.query(kubectl(sh`get node ${host.name} --ignore-not-found -o name`));
      const isMember = host.roles.includes('master') && members?.has(ctx, ctx.host, clusterHost(cluster, host));
      return { host, isInCluster: stdout.trim() !== '' || (await isMember) === true };
    }),
  );
}

async function forgetNode(ctx: StepContext, { cluster, members }: VerifyJoinOptions, host: Host): Promise<void> {
  ctx.say(`${host.name} does not respond: removing it from the cluster`);
  await ctx.runner.run(kubectl(sh`delete node ${host.name} --ignore-not-found --wait=false`));
  if (host.roles.includes('master')) await members?.forget(ctx, ctx.host, clusterHost(cluster, host));
}
