import { preview } from '../../engine/preview.ts';
import type { Stop } from '../../engine/stop.ts';
import { installAddonsPipeline } from '../../pipeline/addon.ts';
import { chooseAddons } from '../plan/choose-addons.ts';
import { filterPlan } from '../plan/filter-plan.ts';
import { assumedArches } from '../plan/find-arches.ts';
import { findAssets } from '../plan/find-assets.ts';
import { modulesOf, plan } from '../plan/plan.ts';
import type { Session } from '../session/session.ts';

/** An addon of the cluster file and its state in the cluster. Part of the JSON output. */
export interface ListedAddon {
  readonly name: string;
  readonly type: 'catalog' | 'yaml' | 'helm';
  readonly namespace: string | undefined;
  readonly state: 'installed' | 'not as configured' | 'unknown';
  /** Why it is not installed as configured; empty if it is. */
  readonly because: string;
}

/** Lists the addons of the cluster file. Read-only. */
export async function listAddons(
  session: Session,
  workdir: string,
  { stop }: { readonly stop: Stop },
): Promise<readonly ListedAddon[]> {
  const { addons, cluster } = chooseAddons(session.cluster, []);
  const pipeline = installAddonsPipeline(addons);
  const assets = findAssets({
    cluster,
    workdir,
    modules: modulesOf(pipeline, cluster),
    arches: assumedArches(cluster),
    credentials: {},
    offline: true,
  });
  const graph = plan(pipeline, session.cluster, assets);
  const filter = { nodes: [], tags: ['install-addon'], skipTags: [], task: undefined };
  const { nodes, unreachable } = await preview(filterPlan(graph, session.cluster, filter).graph, {
    contextFor: session.stepContexts('list'),
    stop,
  });
  const [failed] = unreachable;
  if (failed) throw failed.error;
  return addons.map(({ name, type, namespace }) => {
    const found = nodes.find(({ node }) => node.step.name === `addon.install-${name}`);
    const because = found?.unknown ?? found?.changes.map((change) => change.because).join(', ') ?? '';
    return { name, type, namespace, state: stateOf(found, because), because };
  });
}

function stateOf(found: { readonly unknown?: string } | undefined, because: string): ListedAddon['state'] {
  if (!found || found.unknown !== undefined) return 'unknown';
  return because === '' ? 'installed' : 'not as configured';
}
