import type { Cluster } from '../../config/model/cluster.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { nodesOf } from '../../plan/graph.ts';
import { filterPlan, type PlanFilter } from './filter-plan.ts';
import { meetArches } from './find-arches.ts';
import type { FoundOut } from './find-assets.ts';
import { plan } from './plan.ts';
import { registryCredentials } from '../session/registry-credentials.ts';
import type { Session } from '../session/session.ts';

/** A pipeline, or one that fetches things for hosts. */
export type AskedPipeline = Pipeline | ((found: FoundOut) => Pipeline);

/** What is asked for of a plan. */
export type Planned = ReturnType<typeof filterPlan>;

/** A plan before anybody was asked anything: all is in it but what exactly is fetched, and how registries are entered. */
export interface DraftPlan extends Planned {
  /** Asks for secrets of registries, and hosts for their architecture, where the plan has a use for them. */
  complete(session: Session): Promise<Planned>;
}

export function planAsked(asked: AskedPipeline, cluster: Cluster, filter: PlanFilter): DraftPlan {
  const planFor = (found: FoundOut) =>
    filterPlan(plan(typeof asked === 'function' ? asked(found) : asked, cluster), cluster, filter);
  const assumed = new Map(cluster.hosts.map(({ name, arch = 'amd64' }) => [name, arch]));
  const draft = planFor({ arches: assumed, credentials: {} });
  const scopes = new Set(nodesOf(draft.graph).flatMap(({ task }) => task.path.split('/')));
  const has = (name: string) => scopes.has(name);
  const fetches = has('prepare-assets') || has('push-images');
  const complete = async (session: Session) => {
    if (typeof asked !== 'function' || !(fetches || has('container-runtime') || has('registry'))) return draft;
    const credentials = await registryCredentials(cluster);
    const arches = fetches ? await meetArches(session, filter.nodes) : assumed;
    return planFor({ arches, credentials, scopes });
  };
  return { ...draft, complete };
}
