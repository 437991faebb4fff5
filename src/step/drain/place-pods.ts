import type { NodeSelectorTerm, Pod } from '../../kubernetes-api/objects.ts';
import { isOpen, misfit, roomOn, withPod, type Room } from './fit.ts';
import { controllerOf, isTerminating, kindOf } from './pods.ts';
import { requestsOf } from './quantity.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** A pod that fits on no other node, and why. */
export interface Unplaced {
  readonly pod: Pod;
  /** "2 nodes: not enough memory; 1 node: taint node-role.kubernetes.io/control-plane" */
  readonly reason: string;
}

/**
 * Estimates which pods of nodes that leave fit on none of the others: places them one by one, the largest first, on the node
 * with the most free memory. It does not consider preferences, pod affinity, topology spread constraints and preemption.
 */
export function unplacedPods(snapshot: ClusterSnapshot, leaving: readonly string[]): readonly Unplaced[] {
  const byNode = new Map<string, Pod[]>();
  for (const pod of snapshot.pods) {
    const { nodeName = '' } = pod.spec;
    byNode.set(nodeName, [...(byNode.get(nodeName) ?? []), pod]);
  }
  let rooms: readonly Room[] = snapshot.nodes
    .filter((node) => !leaving.includes(node.metadata.name) && isOpen(node))
    .map((node) => roomOn(node, byNode.get(node.metadata.name) ?? []));
  const moving = leaving
    .flatMap((node) => byNode.get(node) ?? [])
    .filter(movesElsewhere)
    .toSorted((one, other) => memoryOf(other) - memoryOf(one));
  const unplaced: Unplaced[] = [];
  for (const pod of moving) {
    const volumes = volumeTermsOf(pod, snapshot);
    const reasons = rooms.map((room) => misfit(pod, room, rooms, volumes));
    const [best] = rooms
      .filter((_, index) => reasons[index] === undefined)
      .toSorted((one, other) => (other.free.get('memory') ?? 0) - (one.free.get('memory') ?? 0));
    if (best) rooms = rooms.map((room) => (room === best ? withPod(room, pod) : room));
    else unplaced.push({ pod, reason: summarize(reasons) });
  }
  return unplaced;
}

/** Something starts it again on another node. */
const movesElsewhere = (pod: Pod) =>
  kindOf(pod) === 'evictable' && controllerOf(pod) !== undefined && !isTerminating(pod);

const memoryOf = (pod: Pod) => requestsOf(pod).get('memory') ?? 0;

/** The node affinity of the volumes that are bound to the claims of a pod. */
export const volumeTermsOf = (pod: Pod, snapshot: ClusterSnapshot): readonly (readonly NodeSelectorTerm[])[] =>
  volumesOf(pod, snapshot).flatMap(({ spec }) => {
    const terms = spec.nodeAffinity?.required?.nodeSelectorTerms;
    return terms ? [terms] : [];
  });

/** The persistent volumes of a pod. */
export const volumesOf = ({ metadata: { namespace, name: pod }, spec }: Pod, { claims, volumes }: ClusterSnapshot) =>
  (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    // The claim of an ephemeral volume is named after the pod and the volume.
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral && `${pod}-${name}`);
    const found = claims.find(({ metadata }) => metadata.namespace === namespace && metadata.name === claim);
    return volumes.filter(({ metadata }) => metadata.name === found?.spec.volumeName);
  });

function summarize(reasons: readonly (string | undefined)[]): string {
  if (reasons.length === 0) return 'no other node is ready and schedulable';
  const counts = new Map<string, number>();
  for (const reason of reasons) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} ${count === 1 ? 'node' : 'nodes'}: ${reason}`).join('; ');
}
