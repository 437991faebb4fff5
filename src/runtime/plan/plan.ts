import { LOCAL, type Host, type Hosts, type Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { ModuleContext } from '../../module/module.ts';
import type { Pipeline, PipelineContext } from '../../pipeline/pipeline.ts';
import { scope, type PlanFragment } from '../../plan/fragment.ts';
import { toGraph, type ExecutionGraph } from '../../plan/graph.ts';
import type { Task, TaskContext } from '../../task/task.ts';

/** Pure: the same cluster always gives the same graph. */
export function plan(pipeline: Pipeline, cluster: Cluster): ExecutionGraph {
  const tasks: TaskContext = { cluster, hosts: hostsOf(cluster), local: LOCAL };
  function task(task: Task): PlanFragment;
  function task<Input>(task: Task<Input>, input: Input): PlanFragment;
  function task<Input>(task: Task<Input | undefined>, input?: Input): PlanFragment {
    return scope(task.name, task.plan(tasks, input));
  }
  const modules: ModuleContext = { cluster, task };
  const pipelines: PipelineContext = { cluster, module: (module) => scope(module.name, module.plan(modules)) };
  return toGraph(pipeline.name, pipeline.plan(pipelines));
}

/** The hosts of a cluster as plans name them. */
export function hostsOf({ hosts, firstMaster }: Cluster): Hosts {
  const all: readonly Host[] = hosts.map(({ name, roles, internalAddresses: [address] }) =>
    Object.freeze({ name, address, roles }),
  );
  const withRole = (role: Role) => all.filter(({ roles }) => roles.includes(role));
  const isFirst = ({ name }: Host) => name === firstMaster;
  const masters = withRole('master').toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  return Object.freeze({ all, withRole: (role) => (role === 'master' ? masters : withRole(role)) } satisfies Hosts);
}
