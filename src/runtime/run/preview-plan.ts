import { preview, type Preview } from '../../engine/preview.ts';
import type { Stop } from '../../engine/stop.ts';
import { nodesOf, type ExecutionGraph } from '../../plan/graph.ts';
import { outline } from '../../plan/outline.ts';
import type { Session } from '../session/session.ts';

/**
 * Returns the plan as text and the changes it would make on reachable hosts. Writes nothing, locally or on hosts, except
 * the host keys of first connections.
 */
export async function previewPlan(
  session: Session,
  graph: ExecutionGraph,
  stop: Stop,
): Promise<{ readonly outline: string; readonly preview: Preview }> {
  const contextFor = session.stepContexts('preview');
  // Some steps also check other hosts. Unreachable hosts are reported when their own steps are previewed.
  const hosts = new Set(nodesOf(graph).map(({ host }) => host));
  await Promise.allSettled([...hosts].map((host) => session.reach(host)));
  return { outline: outline(graph), preview: await preview(graph, { contextFor, stop }) };
}
