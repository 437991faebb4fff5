import type { ExecutionGraph } from './graph.ts';
import { groupsOf, type Group } from './groups.ts';
import { hostList } from './outline.ts';

/** The plan as a mermaid flow chart: thin arrows where each host goes at its own pace, thick ones where all meet. */
export function mermaid(graph: ExecutionGraph): string {
  const groups = groupsOf(graph);
  const boxes = [...byTask(groups)].flatMap(([path, places], index) => box(path, index, places, groups));
  const arrows = groups.flatMap(({ after }, place) =>
    [...after].map(([other, kind]) => `  s${other} ${kind === 'each' ? '-->' : '==>'} s${place}`),
  );
  return ['flowchart TD', ...boxes, ...arrows].join('\n');
}

function byTask(groups: readonly Group[]): Map<string, number[]> {
  const tasks = new Map<string, number[]>();
  for (const [place, { task }] of groups.entries()) tasks.set(task.path, [...(tasks.get(task.path) ?? []), place]);
  return tasks;
}

const box = (path: string, index: number, places: readonly number[], groups: readonly Group[]): string[] => [
  `  subgraph t${index}["${label(path)}"]`,
  ...places.map(
    (place) => `    s${place}["${label(groups[place]!.step.name)}<br/>${label(hostList(groups[place]!))}"]`,
  ),
  '  end',
];

const label = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
