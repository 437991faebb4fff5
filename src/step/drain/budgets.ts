import type { LabelSelector, Pod, PodDisruptionBudget, Requirement, Stored } from '../../kubernetes-api/objects.ts';

/** The disruption budgets that select a pod. */
export const budgetsOf = (pod: Pod, budgets: Iterable<PodDisruptionBudget>): readonly PodDisruptionBudget[] =>
  [...budgets].filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace && matchesSelector(spec.selector, pod.metadata.labels),
  );

/** Why a budget allows no eviction however long one waits; undefined if it can open. */
export function neverOpens({ spec, status }: PodDisruptionBudget): string | undefined {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined && Number.parseInt(String(maxUnavailable), 10) === 0)
    return `maxUnavailable is ${maxUnavailable}`;
  if (minAvailable === '100%') return 'minAvailable is 100%';
  const expected = status?.expectedPods ?? 0;
  if (expected > 0 && (status?.desiredHealthy ?? 0) >= expected)
    return `it needs ${status?.desiredHealthy} healthy pods and there are only ${expected}`;
  return undefined;
}

/** Why a budget allows no eviction now; undefined if it does. */
export function closedNow({ status }: PodDisruptionBudget): string | undefined {
  if (!status) return 'the disruption controller has not processed it yet';
  if (status.disruptionsAllowed > 0) return undefined;
  return `it needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy}`;
}

/** Whether labels match a selector. A selector without any requirement matches everything; no selector matches nothing. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Stored['metadata']['labels'] = {},
): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((each) => matchesRequirement(each, labels[each.key]))
  );
}

/** Whether the value of a label meets a requirement; the operators of label selectors and of node affinity. */
export function matchesRequirement({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
