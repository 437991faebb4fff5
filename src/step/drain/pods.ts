import type { Pod, Stored } from '../../kubernetes-api/objects.ts';

/** What a drain does with a pod. Only the first kind is evicted. */
export type PodKind = 'evictable' | 'daemonset' | 'static' | 'finished';

export function kindOf(pod: Pod): PodKind {
  if (pod.metadata.annotations?.[MIRROR] !== undefined) return 'static';
  if (controllerOf(pod)?.kind === 'DaemonSet') return 'daemonset';
  // Terminating pods still run until they are gone.
  const isFinished = FINISHED.has(pod.status?.phase ?? '') && pod.metadata.deletionTimestamp === undefined;
  return isFinished ? 'finished' : 'evictable';
}

/** The API object of a static pod, which only its kubelet can stop. */
const MIRROR = 'kubernetes.io/config.mirror';

const FINISHED: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

export const controllerOf = ({ metadata }: Pod) => metadata.ownerReferences?.find(({ controller }) => controller);

export const isTerminating = ({ metadata }: Stored): boolean => metadata.deletionTimestamp !== undefined;

/** The emptyDir volumes of a pod that hold data on disk or in memory; their content is lost when it is evicted. */
export const emptyDirsOf = ({ spec }: Pod): readonly string[] =>
  (spec.volumes ?? []).filter(({ emptyDir }) => emptyDir !== undefined).map(({ name }) => name);

/** "default/web-1" */
export const fullName = ({ metadata: { namespace = '', name } }: Stored): string => `${namespace}/${name}`;
