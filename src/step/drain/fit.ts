import type { Node, NodeSelectorTerm, Pod, PodAffinityTerm, Taint, Toleration } from '../../kubernetes-api/objects.ts';
import { matchesRequirement, matchesSelector } from './budgets.ts';
import { amountsOf, difference, requestsOf, sum, type Amounts } from './quantity.ts';

/** A node that can take pods, with what is free on it. */
export interface Room {
  readonly node: Node;
  readonly free: Amounts;
  readonly pods: readonly Pod[];
}

/** What a node has left next to the pods that run on it. */
export function roomOn(node: Node, pods: readonly Pod[]): Room {
  const used = pods.map(requestsOf).reduce<Amounts>(sum, new Map());
  return { node, free: difference(amountsOf(node.status?.allocatable), used), pods };
}

/** The room after a pod was placed in it. */
export const withPod = ({ node, free, pods }: Room, pod: Pod): Room => ({
  node,
  free: difference(free, requestsOf(pod)),
  pods: [...pods, pod],
});

/** The node accepts new pods. */
export const isOpen = ({ spec, status }: Node): boolean =>
  spec?.unschedulable !== true &&
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** Node affinity terms of the volumes of a pod. */
export type VolumeTerms = readonly (readonly NodeSelectorTerm[])[];

/**
 * Why a pod cannot run on a node; undefined if it can. Considers requests, node selectors, required node affinity, taints,
 * host ports, volumes that are bound to nodes, and required anti-affinity.
 */
export function misfit(pod: Pod, room: Room, rooms: readonly Room[], volumes: VolumeTerms): string | undefined {
  const { node } = room;
  const { nodeSelector = {}, affinity, tolerations = [] } = pod.spec;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const taint = node.spec?.taints?.find((each) => repels(each, tolerations));
  if (taint) return `taint ${taint.key}`;
  if (!Object.entries(nodeSelector).every(([key, value]) => node.metadata.labels?.[key] === value))
    return 'the node selector does not match';
  if (terms && !matchesTerms(node, terms)) return 'the node affinity does not match';
  if (!volumes.every((each) => matchesTerms(node, each))) return 'a volume is on another node';
  if (portsOf(pod).some((port) => room.pods.some((other) => portsOf(other).includes(port))))
    return 'a host port is in use';
  const near = antiAffinity(pod).find((term) => conflicts(term, pod, node, rooms));
  if (near) return 'anti-affinity to a pod there';
  const [lacking] = [...requestsOf(pod)].find(([name, amount]) => amount > (room.free.get(name) ?? 0)) ?? [];
  return lacking === undefined ? undefined : `not enough ${lacking}`;
}

const repels = (taint: Taint, tolerations: readonly Toleration[]) =>
  taint.effect !== 'PreferNoSchedule' && !tolerations.some((each) => tolerates(each, taint));

const tolerates = ({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint) =>
  (effect === undefined || effect === '' || effect === taint.effect) &&
  (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
  (operator === 'Exists' || value === (taint.value ?? ''));

/** Any of the terms must match; an empty term matches nothing. */
const matchesTerms = ({ metadata }: Node, terms: readonly NodeSelectorTerm[]): boolean =>
  terms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((each) => matchesRequirement(each, metadata.labels?.[each.key])) &&
      matchFields.every((each) => matchesRequirement(each, metadata.name)),
  );

const portsOf = ({ spec }: Pod): readonly string[] =>
  spec.containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, protocol = 'TCP' }) => (hostPort ? [`${protocol} ${hostPort}`] : [])),
  );

const antiAffinity = ({ spec }: Pod): readonly PodAffinityTerm[] =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** Whether a pod that matches the term runs in the same topology domain as the node. */
function conflicts(term: PodAffinityTerm, pod: Pod, node: Node, rooms: readonly Room[]): boolean {
  const domain = node.metadata.labels?.[term.topologyKey];
  if (domain === undefined) return false;
  const namespaces = term.namespaces?.length ? term.namespaces : [pod.metadata.namespace ?? ''];
  return rooms
    .filter((room) => room.node.metadata.labels?.[term.topologyKey] === domain)
    .some((room) =>
      room.pods.some(
        ({ metadata }) =>
          namespaces.includes(metadata.namespace ?? '') && matchesSelector(term.labelSelector, metadata.labels),
      ),
    );
}
