import { isNode, type Role } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { updateDnsModule } from '../../module/addon.ts';
import { installRuntimeModule } from '../../module/container-runtime.ts';
import { addEtcdMembersModule, connectToEtcdModule } from '../../module/etcd.ts';
import {
  admitHostsModule,
  finishHostsModule,
  prepareHostsModule,
  provideSystemPackagesModule,
  withdrawSystemPackagesModule,
} from '../../module/infrastructure.ts';
import {
  checkAdditionModule,
  installKubernetesModule,
  joinModule,
  prepareJoinModule,
  saveStateModule,
  setUpNodesModule,
  updateEtcdServersModule,
  updateMastersModule,
  verifyJoinModule,
} from '../../module/kubernetes.ts';
import { balanceNodesModule, setupNodeBalancersModule, updateLoadBalancersModule } from '../../module/load-balancer.ts';
import { checkHostsModule, prepareAssetsModule, type PreflightOptions } from '../../module/preflight.ts';
import { empty, parallel, sequence, type PlanFragment } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline, type PipelineContext, type Scope } from '../pipeline.ts';

/** The hosts that join a running cluster, and the hosts through which they join. */
export interface Addition {
  /** The roles that a host gets, by host name. */
  readonly roles: ReadonlyMap<string, readonly Role[]>;
  /** A running master. */
  readonly master: string;
  /** The host of a running etcd member; undefined if the members do not run on hosts of the cluster. */
  readonly etcdHost: string | undefined;
  /** The load balancer that has the virtual IP; undefined if there is none. */
  readonly vipHost: string | undefined;
}

/** Options of `add nodes`. */
export interface AddOptions {
  /** `skip` leaves out the preflight checks. */
  readonly preflight?: Partial<PreflightOptions> | 'skip';
  /** Hosts install system packages from the bundle instead of their repositories. */
  readonly offline?: boolean;
}

/** Adds hosts to a running cluster. Hosts that nothing has to change on are not connected to. */
export const addNodesPipeline = (addition: Addition, options: AddOptions = {}): Pipeline =>
  definePipeline({
    name: 'add-nodes',
    command: 'add nodes',
    title: 'Add nodes',
    plan: (ctx) => planAddition(ctx, hostsOf(ctx.cluster, addition), options),
  });

function planAddition({ module }: PipelineContext, hosts: AdditionHosts, options: AddOptions): PlanFragment {
  const { preflight = {}, offline = false } = options;
  const { added, nodes, masters, members, scope } = hosts;
  const everyone = scope(added);
  return sequence(
    preflight === 'skip'
      ? empty
      : module(checkHostsModule({ ...preflight, established: hosts.checked }), scope(hosts.checked, added)),
    module(checkAdditionModule, scope([hosts.master], added)),
    module(prepareAssetsModule, everyone),
    module(offline ? provideSystemPackagesModule : withdrawSystemPackagesModule, everyone),
    parallel(module(prepareHostsModule, everyone), module(admitHostsModule, scope(hosts.others))),
    parallel(
      sequence(module(installRuntimeModule, scope(nodes)), module(installKubernetesModule, scope(nodes))),
      members.length === 0 ? empty : module(addEtcdMembersModule(hosts.etcdHost), scope([hosts.etcdHost], members)),
      // In binary mode nodes join through their own load balancer.
      module(setupNodeBalancersModule, scope(nodes)),
    ),
    masters.length === 0 ? empty : module(connectToEtcdModule, scope(masters)),
    module(prepareJoinModule, scope(nodes, hosts.newBalancers)),
    module(joinModule, scope(nodes)),
    module(verifyJoinModule, scope(nodes)),
    module(updateLoadBalancersModule(hosts.balancers), scope(hosts.balancers)),
    module(setupNodeBalancersModule, scope(hosts.balancedNodes)),
    module(balanceNodesModule, scope(nodes, hosts.balancedNodes, hosts.newBalancers)),
    // Restarts API servers, so it waits until the load balancers know the new ones.
    members.length === 0 ? empty : module(updateEtcdServersModule, scope(hosts.oldMasters)),
    masters.length === 0 ? empty : module(updateMastersModule, scope(masters)),
    nodes.length === 0 ? empty : module(setUpNodesModule, scope(nodes)),
    hosts.leavesSingleNode ? module(updateDnsModule, scope(nodes)) : empty,
    module(finishHostsModule, everyone),
    module(
      saveStateModule,
      scope([hosts.master], added, hosts.balancedNodes, members.length > 0 ? hosts.oldMasters : []),
    ),
    offline ? module(withdrawSystemPackagesModule, everyone) : empty,
  );
}

/** The hosts of a cluster by their part in an addition, as names in the order of the cluster file. */
interface AdditionHosts {
  readonly added: readonly string[];
  readonly others: readonly string[];
  /** Hosts that become nodes, and those of them that become masters. */
  readonly nodes: readonly string[];
  readonly masters: readonly string[];
  /** Hosts that become members of an etcd that kubexm installs. */
  readonly members: readonly string[];
  readonly newBalancers: readonly string[];
  readonly oldMasters: readonly string[];
  /** Load balancers to update, one after another. */
  readonly balancers: readonly string[];
  /** Workers whose own load balancer gets new backends. */
  readonly balancedNodes: readonly string[];
  /** Existing hosts that the new ones are checked against. */
  readonly checked: readonly string[];
  /** Whether the cluster had only one node. */
  readonly leavesSingleNode: boolean;
  readonly master: string;
  readonly etcdHost: string;
  readonly scope: (...hosts: readonly (readonly string[])[]) => Scope;
}

function hostsOf(cluster: Cluster, { roles, master, etcdHost = '', vipHost }: Addition): AdditionHosts {
  const { etcd, endpoint } = cluster;
  const gets = ({ name }: ClusterHost, ...wanted: readonly Role[]) =>
    wanted.some((role) => roles.get(name)?.includes(role));
  const has = (host: ClusterHost, role: Role) => host.roles.includes(role);
  const select = (condition: (host: ClusterHost) => boolean) => cluster.hosts.filter(condition).map(({ name }) => name);
  const nodes = select((host) => gets(host, 'master', 'worker'));
  const masters = select((host) => gets(host, 'master'));
  const members = etcd.type === 'kubexm' ? select((host) => gets(host, 'etcd')) : [];
  const newBalancers = select((host) => gets(host, 'loadbalancer'));
  const oldMasters = select((host) => has(host, 'master') && !gets(host, 'master'));
  const isBalanced = endpoint.internal.type === 'haproxy' || endpoint.internal.type === 'nginx';
  const central = select((host) => (has(host, 'master') || has(host, 'etcd')) && !roles.has(host.name));
  return {
    added: select(({ name }) => roles.has(name)),
    others: select(({ name }) => !roles.has(name)),
    nodes,
    masters,
    members,
    newBalancers,
    oldMasters,
    balancers:
      masters.length + newBalancers.length === 0 ? [] : balancerOrder(select((host) => has(host, 'loadbalancer'))),
    balancedNodes:
      masters.length > 0 && isBalanced
        ? select((host) => has(host, 'worker') && !has(host, 'master') && !gets(host, 'worker'))
        : [],
    checked: masters.length + members.length > 0 ? central : [master],
    leavesSingleNode: nodes.length > 0 && select(isNode).length - nodes.length === 1,
    master,
    etcdHost,
    scope: (...hosts) => ({ cluster, hosts: [...new Set(hosts.flat())], master }),
  };

  /** New ones last: with unicast, they would take the virtual IP if the others did not send them advertisements yet. */
  function balancerOrder(names: readonly string[]): readonly string[] {
    const rank = (name: string) => (newBalancers.includes(name) ? 2 : Number(name === vipHost));
    return names.toSorted((one, other) => rank(one) - rank(other));
  }
}
