import type { Arches } from '../artifact/catalog/catalog.ts';
import type { Cluster } from '../config/cluster.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { nodesOf } from '../plan/graph.ts';
import { filterPlan, type PlanFilter } from './filter-plan.ts';
import { meetArches } from './find-arches.ts';
import { plan } from './plan.ts';
import type { Session } from './session.ts';

/** A pipeline, or one that fetches things for the architectures of hosts. */
export type AskedPipeline = Pipeline | ((arches: Arches) => Pipeline);

/** What is asked for of a plan. */
export type Planned = ReturnType<typeof filterPlan>;

/** A plan before any host was asked anything: all is in it but what exactly is fetched. */
export interface DraftPlan extends Planned {
  /** Asks hosts for their architecture where something is fetched for them, and only then. */
  complete(session: Session): Promise<Planned>;
}

export function planAsked(asked: AskedPipeline, cluster: Cluster, filter: PlanFilter): DraftPlan {
  const planFor = (arches: Arches) =>
    filterPlan(plan(typeof asked === 'function' ? asked(arches) : asked, cluster), cluster, filter);
  const draft = planFor(new Map(cluster.hosts.map(({ name, arch = 'amd64' }) => [name, arch])));
  const fetches = nodesOf(draft.graph).some(({ task }) => task.name === 'prepare-assets');
  const complete = async (session: Session) =>
    typeof asked === 'function' && fetches ? planFor(await meetArches(session, filter.nodes)) : draft;
  return { ...draft, complete };
}
