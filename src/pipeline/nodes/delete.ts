import { isNode, type Role } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { etcdOn } from '../../config/model/ports.ts';
import { uninstallHelmModule } from '../../module/addon.ts';
import { uninstallRuntimeModule } from '../../module/container-runtime.ts';
import { uninstallEtcdModule } from '../../module/etcd.ts';
import { restoreHostsModule } from '../../module/infrastructure.ts';
import { saveStateModule, uninstallKubernetesModule, updateEtcdServersModule } from '../../module/kubernetes.ts';
import {
  balanceNodesModule,
  removeLoadBalancerModule,
  setupNodeBalancersModule,
  updateLoadBalancersModule,
} from '../../module/load-balancer.ts';
import { drainNodesModule, type DrainInput } from '../../module/node-drain.ts';
import {
  deleteNodeObjectsModule,
  fetchKubeconfigModule,
  removeEtcdMembersModule,
  restoreAccessModule,
  revokeAccessModule,
  stopControlPlaneModule,
} from '../../module/node-removal.ts';
import { empty, sequence, type PlanFragment } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline, type PipelineContext, type Scope } from '../pipeline.ts';

/** The hosts that leave a running cluster, and the hosts through which they are removed. */
export interface Removal {
  /** The cluster without them. */
  readonly after: Cluster;
  /** In the order in which their etcd members are removed. */
  readonly leaving: readonly string[];
  /** The nodes among them that still run, and that are drained first. */
  readonly drained: readonly string[];
  /** Those of them that are reset; the others do not respond or are left alone. */
  readonly reset: readonly string[];
  /** A running master that stays. */
  readonly master: string;
  /** The host of a running etcd member that stays; undefined if the members do not run on hosts of the cluster. */
  readonly etcdHost: string | undefined;
  /** The load balancer that has the virtual IP; undefined if there is none. */
  readonly vipHost: string | undefined;
}

/** Removes hosts from a running cluster. Hosts that nothing has to change on are not connected to. */
export const deleteNodesPipeline = (removal: Removal, drain: DrainInput['options']): Pipeline =>
  definePipeline({
    name: 'delete-nodes',
    command: 'delete nodes',
    title: 'Delete nodes',
    plan: (ctx) =>
      sequence(
        // First: the kubelet of a master reaches the API through its own API server, which needs the etcd member on its host.
        // And a Pod that cannot be evicted stops the removal while the cluster is still complete.
        ctx.module(
          drainNodesModule({ nodes: removal.drained, mustExist: false, options: drain }),
          scopeOf(removal, removal.after)([]),
        ),
        leaveCluster(ctx, removal),
        resetHosts(ctx, removal),
        finish(ctx, removal),
      ),
  });

/** Resets hosts that were removed before, while they did not respond. */
export const cleanUpNodesPipeline = (removal: Pick<Removal, 'after' | 'reset' | 'master'>): Pipeline =>
  definePipeline({
    name: 'clean-up-nodes',
    command: 'delete nodes',
    title: 'Reset removed hosts',
    plan: (ctx) => resetHosts(ctx, removal),
  });

function leaveCluster({ cluster, module }: PipelineContext, removal: Removal): PlanFragment {
  const { after, leaving, reset, etcdHost, vipHost } = removal;
  const { of, names } = hostsBy(cluster, leaving);
  const before = scopeOf(removal, cluster);
  const stay = scopeOf(removal, after);
  const nodes = names(isNode);
  const masters = names(hasRole('master'));
  const balancers = names(hasRole('loadbalancer'));
  const members = of((host) => etcdOn(cluster, host) !== undefined);
  const changesBackends = masters.length + balancers.length > 0;
  const remaining = hostsBy(
    after,
    after.hosts.map(({ name }) => name),
  );
  const ordered = orderOf(remaining.names(hasRole('loadbalancer')), vipHost);
  const balanced = changesBackends && balancesNodes(after) ? remaining.names(isWorkerOnly) : [];
  const isReset = (name: string) => reset.includes(name);
  return sequence(
    // While the API servers that leave can still take over: each of the others restarts if its etcd members change.
    changesControlPlane(cluster, leaving)
      ? module(updateEtcdServersModule, stay(remaining.names(hasRole('master'))))
      : empty,
    module(revokeAccessModule(nodes), stay([])),
    // Before the others: keepalived then hands over the virtual IP, instead of losing its peers.
    balancers.some(isReset) ? module(removeLoadBalancerModule, before(balancers.filter(isReset))) : empty,
    changesBackends ? module(updateLoadBalancersModule(ordered), stay(ordered)) : empty,
    masters.length > 0 ? module(setupNodeBalancersModule, stay(balanced)) : empty,
    masters.length > 0 ? module(balanceNodesModule, stay([...balanced, ...ordered])) : empty,
    masters.some(isReset) ? module(stopControlPlaneModule, before(masters.filter(isReset))) : empty,
    etcdHost === undefined ? empty : module(removeEtcdMembersModule(members), stay([etcdHost])),
    module(deleteNodeObjectsModule(nodes), stay([])),
  );
}

/** Undoes on each host what create cluster changed, in the order of delete cluster. */
function resetHosts(
  { cluster, module }: PipelineContext,
  removal: Pick<Removal, 'after' | 'reset' | 'master'> & Partial<Removal>,
): PlanFragment {
  const { reset, after, leaving = [] } = removal;
  if (reset.length === 0) return empty;
  const { names } = hostsBy(cluster, reset);
  const before = scopeOf(removal, cluster);
  const hosts = before(reset);
  const options = { preserveData: false, hasLeft: true };
  // The load balancers of a host that leaves now are removed by then.
  const others = leaving.length === 0 ? reset : names((host) => !hasRole('loadbalancer')(host));
  return sequence(
    module(uninstallKubernetesModule(options), hosts),
    module(uninstallHelmModule, hosts),
    module(removeLoadBalancerModule, before(others)),
    module(uninstallEtcdModule(options), hosts),
    module(uninstallRuntimeModule, hosts),
    module(restoreHostsModule, hosts),
    module(restoreAccessModule(names(isNode)), scopeOf(removal, after)([])),
  );
}

function finish({ cluster, module }: PipelineContext, removal: Removal): PlanFragment {
  const { after, leaving, master } = removal;
  const stay = scopeOf(removal, after);
  const remaining = hostsBy(
    after,
    after.hosts.map(({ name }) => name),
  );
  const masters = changesControlPlane(cluster, leaving) ? remaining.names(hasRole('master')) : [];
  const balanced =
    hostsBy(cluster, leaving).names(hasRole('master')).length > 0 && balancesNodes(after)
      ? remaining.names(isWorkerOnly)
      : [];
  return sequence(
    leaving.includes(cluster.firstMaster) ? module(fetchKubeconfigModule, stay([])) : empty,
    module(saveStateModule, stay([...new Set([master, ...masters, ...balanced])])),
  );
}

/** The flags and the certificates of API servers name masters, load balancers and etcd members. */
const changesControlPlane = (cluster: Cluster, leaving: readonly string[]): boolean =>
  hostsBy(cluster, leaving).names(
    (host) =>
      (cluster.etcd.type === 'kubexm' && hasRole('etcd')(host)) ||
      (cluster.kubernetes.type === 'kubeadm' && (hasRole('master')(host) || hasRole('loadbalancer')(host))),
  ).length > 0;

const balancesNodes = ({ endpoint: { internal } }: Cluster) => internal.type === 'haproxy' || internal.type === 'nginx';

/** The one that has the virtual IP last, so that it moves at most once. */
const orderOf = (balancers: readonly string[], vipHost: string | undefined) =>
  balancers.toSorted((one, other) => Number(one === vipHost) - Number(other === vipHost));

const hasRole =
  (role: Role) =>
  ({ roles }: Pick<ClusterHost, 'roles'>): boolean =>
    roles.includes(role);

const isWorkerOnly = (host: ClusterHost) => hasRole('worker')(host) && !hasRole('master')(host);

function hostsBy({ hosts }: Cluster, selected: readonly string[]) {
  const byName = new Map(hosts.map((host) => [host.name, host]));
  const all = selected.flatMap((name) => byName.get(name) ?? []);
  const of = (condition: (host: ClusterHost) => boolean) => all.filter(condition);
  return { of, names: (condition: (host: ClusterHost) => boolean) => of(condition).map(({ name }) => name) };
}

const scopeOf =
  ({ master }: Pick<Removal, 'master'>, cluster: Cluster) =>
  (hosts: readonly string[]): Scope => ({ cluster, hosts, master });
