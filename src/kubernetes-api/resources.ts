import type {
  Lease,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Stored,
} from './objects.ts';

/** The resources that the client knows, each with the type of its objects. */
export interface Resources {
  readonly nodes: Node;
  readonly pods: Pod;
  readonly poddisruptionbudgets: PodDisruptionBudget;
  readonly persistentvolumes: PersistentVolume;
  readonly persistentvolumeclaims: PersistentVolumeClaim;
  readonly leases: Lease;
  readonly namespaces: Stored;
  readonly secrets: Stored;
  readonly configmaps: Stored;
  readonly certificatesigningrequests: Stored;
  readonly customresourcedefinitions: Stored;
}

export type Resource = keyof Resources;

/** The name of an object; namespaced resources need a namespace. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/** The path of one object, or of one of its subresources. */
export const objectPath = (resource: Resource, { name, namespace }: ObjectName, subresource?: string): string =>
  [
    collectionPath(resource, namespace),
    encodeURIComponent(name),
    ...(subresource === undefined ? [] : [subresource]),
  ].join('/');

/** The path of a list; without a namespace, of all namespaces. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const prefix = PREFIXES[resource];
  return namespace === undefined
    ? `${prefix}/${resource}`
    : `${prefix}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

const CORE = '/api/v1';

const PREFIXES: Readonly<Record<Resource, string>> = {
  nodes: CORE,
  pods: CORE,
  namespaces: CORE,
  secrets: CORE,
  configmaps: CORE,
  persistentvolumes: CORE,
  persistentvolumeclaims: CORE,
  poddisruptionbudgets: '/apis/policy/v1',
  leases: '/apis/coordination.k8s.io/v1',
  certificatesigningrequests: '/apis/certificates.k8s.io/v1',
  customresourcedefinitions: '/apis/apiextensions.k8s.io/v1',
};
