import type { DrainForecast } from '../../runtime/inspect/forecast-drain.ts';
import type { Console } from '../console.ts';
import { count } from './text.ts';

type NodeForecast = DrainForecast['nodes'][number];
type Finding = NodeForecast['findings'][number];

/**
 * Returns the result of a simulated drain: the obstacles on each node, the order of the nodes, and what was considered.
 */
export function forecastText({ nodes }: DrainForecast, color: Console['color']): string {
  const order = nodes.map(({ node }) => node).join(', ');
  return [
    ...nodes.flatMap((forecast) => nodeLines(forecast, color)),
    ...(nodes.length > 1 ? [`Order: cordon all nodes, then drain ${order}`] : []),
    color.dim(CONSIDERED),
  ].join('\n');
}

function nodeLines({ node, evicted, staying, findings }: NodeForecast, color: Console['color']): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const sign = errors.length > 0 ? color.red('x') : findings.length > 0 ? color.yellow('!') : color.green('✓');
  const pods = `${count(evicted, 'pod')} to evict, ${count(staying, 'pod')} of DaemonSets and static pods stay`;
  return [`${sign} ${node}: ${pods}`, ...findings.flatMap((finding) => findingLines(finding, color))];
}

function findingLines({ severity, pod, text, fix }: Finding, color: Console['color']): readonly string[] {
  const label = severity === 'error' ? color.red('error  ') : color.yellow('warning');
  return [`  ${label} ${pod} ${text}`, ...(fix === '' ? [] : [`  ${color.dim('next')}    ${fix}`])];
}

const CONSIDERED =
  'Considered: requests, node selectors, required node affinity and anti-affinity, taints, host ports, local volumes, disruption budgets. Not considered: preferences, pod affinity, topology spread, preemption.';
