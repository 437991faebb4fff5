import type { KubernetesApi } from '../../kubernetes-api/api.ts';
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
} from '../../kubernetes-api/objects.ts';

/** What runs in a cluster at one moment, and what limits where it can run. */
export interface ClusterSnapshot {
  readonly nodes: readonly Node[];
  /** Without finished ones. */
  readonly pods: readonly Pod[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
}

export async function readSnapshot(api: KubernetesApi, signal?: AbortSignal): Promise<ClusterSnapshot> {
  const options = signal && { signal };
  const [nodes, pods, budgets, volumes, claims] = await Promise.all([
    api.list('nodes', {}, options),
    api.list('pods', { fields: 'status.phase!=Succeeded,status.phase!=Failed' }, options),
    api.list('poddisruptionbudgets', {}, options),
    api.list('persistentvolumes', {}, options),
    api.list('persistentvolumeclaims', {}, options),
  ]);
  return { nodes, pods, budgets, volumes, claims };
}
