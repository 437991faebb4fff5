import { preview, type Preview } from '../../engine/preview.ts';
import type { Stop } from '../../engine/stop.ts';
import { nodesOf, type ExecutionGraph } from '../../plan/graph.ts';
import { outline } from '../../plan/outline.ts';
import type { Session } from '../session/session.ts';

/** The plan as text, and what it would change on hosts that can be reached. Nothing is written, here or there, but for host keys that are met for the first time. */
export async function previewPlan(
  session: Session,
  graph: ExecutionGraph,
  stop: Stop,
): Promise<{ readonly outline: string; readonly preview: Preview }> {
  const contextFor = session.stepContexts('preview');
  // Some steps look at other hosts than their own; who does not answer is told when it is looked at itself.
  const hosts = new Set(nodesOf(graph).map(({ host }) => host));
  await Promise.allSettled([...hosts].map((host) => session.reach(host)));
  return { outline: outline(graph), preview: await preview(graph, { contextFor, stop }) };
}
