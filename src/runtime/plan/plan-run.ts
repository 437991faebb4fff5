import { LOCAL, type Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { nodesOf, type ExecutionGraph } from '../../plan/graph.ts';
import type { Assets } from '../../resource/assets.ts';
import { resolveBgpPasswords } from '../session/bgp-passwords.ts';
import { registryCredentials } from '../session/registry-credentials.ts';
import { filterPlan, type PlanFilter } from './filter-plan.ts';
import { assumedArches, reachableArches, type ReachableHosts } from './find-arches.ts';
import { findAssets, noAssets, type AssetOptions } from './find-assets.ts';
import { modulesOf, planPipeline, type PlannedTask } from './plan.ts';

/** What to plan: a pipeline, the part of it that the user selected, and the assets that it installs. */
export interface PlanRequest {
  readonly pipeline: Pipeline;
  readonly cluster: Cluster;
  readonly workdir: string;
  readonly filter: PlanFilter;
  /** The source of its assets; undefined if the pipeline installs nothing. */
  readonly assets?: AssetSource;
}

/** The catalog, or assets that the command has listed itself. */
export type AssetSource =
  | { readonly type: 'listed'; readonly assets: Assets }
  | {
      readonly type: 'catalog';
      readonly offline: boolean;
      /** The cluster whose components are listed; defaults to the planned cluster. */
      readonly cluster?: Cluster;
    };

/** The selected part of a plan. */
export interface PlannedRun {
  readonly graph: ExecutionGraph;
  /** Whether it covers the whole pipeline on all hosts. */
  readonly hosts: 'all' | 'some';
  /** Steps whose messages are shown again after the run. */
  readonly reports: ReadonlySet<string>;
}

/** A plan made from the cluster file alone. */
export interface DraftPlan extends PlannedRun {
  /** Looks up what the selected tasks need besides the cluster file, and plans with it. */
  complete(session: ReachableHosts): Promise<PlannedRun>;
}

/**
 * Plans a pipeline without connecting to hosts or reading secrets. The set of steps does not depend on either, so the
 * draft shows which steps are selected and what has to be looked up for them.
 */
export function draftPlan(request: PlanRequest): DraftPlan {
  const { pipeline, cluster, workdir, filter, assets: source } = request;
  if (source?.type !== 'catalog') {
    const draft = planWith(request, source?.assets ?? noAssets(cluster));
    return { ...draft, complete: () => Promise.resolve(draft) };
  }
  const options: AssetOptions = {
    cluster: source.cluster ?? cluster,
    workdir,
    modules: modulesOf(pipeline, cluster),
    arches: assumedArches(cluster),
    credentials: {},
    offline: source.offline,
  };
  const draft = planWith(request, findAssets(options));
  const complete = async (session: ReachableHosts) => {
    const { architectures, registryLogins, bgpPasswords, modules } = draft;
    if (!architectures && !registryLogins && !bgpPasswords) return draft;
    return planWith(
      request,
      findAssets({
        ...options,
        selected: modules,
        ...(registryLogins && { credentials: await registryCredentials(cluster) }),
        ...(bgpPasswords && { bgpPasswords: await resolveBgpPasswords(cluster) }),
        ...(architectures && { arches: await reachableArches(session, filter.nodes, architectures) }),
      }),
    );
  };
  return { ...draft, complete };
}

/** Undefined if there are no tasks. */
const hostNames = (tasks: readonly PlannedTask[]): ReadonlySet<string> | undefined =>
  tasks.length === 0
    ? undefined
    : new Set(tasks.flatMap(({ hosts }) => hosts.flatMap(({ all }) => all.map(({ name }) => name))));

function planWith({ pipeline, cluster, filter }: PlanRequest, assets: Assets) {
  const { graph, tasks } = planPipeline(pipeline, cluster, assets);
  const planned = filterPlan(graph, cluster, filter);
  const paths = new Set(nodesOf(planned.graph).map(({ task }) => task.path));
  const selected = [...paths].flatMap((path) => tasks.get(path) ?? []);
  return {
    ...planned,
    reports: new Set(selected.flatMap(({ reports }) => reports ?? [])),
    architectures: hostNames(selected.filter(({ needs }) => needs?.architectures)),
    registryLogins: selected.some(({ needs }) => needs?.registryLogins),
    bgpPasswords: selected.some(({ needs }) => needs?.bgpPasswords),
    modules: new Set(nodesOf(planned.graph).map(({ task }) => task.module)),
  };
}

/** Returns the hosts that a plan connects to, without this machine. */
export function touchedHosts(graph: ExecutionGraph): readonly Host[] {
  const hosts = new Map(nodesOf(graph).map(({ host }) => [host.name, host]));
  hosts.delete(LOCAL.name);
  return [...hosts.values()];
}
