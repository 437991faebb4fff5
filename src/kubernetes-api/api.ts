import type { Json } from '../common/json.ts';
import { createCalls, type Calls } from './calls.ts';
import { evict, type Eviction } from './evict.ts';
import { createMasters, type MasterAccess } from './masters.ts';
import type { Stored } from './objects.ts';
import { collectionPath, objectPath, type ObjectName, type Resource, type Resources } from './resources.ts';
import { list } from './list.ts';
import type { ApiBinding, CallOptions, DeleteOptions, EvictOptions, ListQuery, PatchOptions } from './options.ts';
import type { ApiTransport } from './transport.ts';
import { watch } from './watch.ts';

/**
 * The Kubernetes API of a cluster, through the SSH connection to a master whose API server is ready. If that master fails,
 * calls and watches continue through another one, so every change must be safe to repeat.
 */
export interface KubernetesApi {
  /** Undefined if the object does not exist. */
  get<R extends Resource>(resource: R, object: ObjectName, options?: CallOptions): Promise<Resources[R] | undefined>;
  list<R extends Resource>(resource: R, query?: ListQuery, options?: CallOptions): Promise<readonly Resources[R][]>;
  /**
   * Yields the objects by uid: first those that exist, then again after each change. Never ends by itself; it is aborted
   * with its signal.
   */
  watch<R extends Resource>(
    resource: R,
    query?: ListQuery,
    options?: CallOptions,
  ): AsyncIterable<ReadonlyMap<string, Resources[R]>>;
  /** Throws API_CONFLICT if the object exists. */
  create<R extends Resource>(resource: R, object: NewObject, options?: CallOptions): Promise<Resources[R]>;
  patch<R extends Resource>(
    resource: R,
    object: ObjectName,
    patch: Json,
    options?: PatchOptions,
  ): Promise<Resources[R]>;
  /** `gone` if the object, or the one with this uid, does not exist. An object with finalizers still exists afterwards. */
  delete(resource: Resource, object: ObjectName, options?: DeleteOptions): Promise<'deleted' | 'gone'>;
  /** Asks for the deletion of a pod, which disruption budgets may refuse. */
  evict(pod: ObjectName, options: EvictOptions): Promise<Eviction>;
  /** The master that responds to calls at the moment. */
  master(options?: CallOptions): Promise<ApiTransport['host']>;
}

/** An object to create. */
export type NewObject = Json & { readonly metadata: { readonly name: string; readonly namespace?: string } };

/** A client that owns its connections. */
export interface OpenKubernetesApi extends AsyncDisposable {
  /** The client for one purpose: `signal` aborts its calls, `beforeChange` may refuse changes. */
  bind(binding?: ApiBinding): KubernetesApi;
}

/** Connects to the first master whose API server is ready when it is first used. */
export function openKubernetesApi(access: readonly MasterAccess[]): OpenKubernetesApi {
  const masters = createMasters(access);
  return Object.freeze({
    bind: (binding: ApiBinding = {}) => bound(createCalls(masters, binding)),
    [Symbol.asyncDispose]: () => masters[Symbol.asyncDispose](),
  });
}

function bound(calls: Calls): KubernetesApi {
  const api: KubernetesApi = {
    async get(resource, object, options) {
      const doing = `read ${describe(resource, object)}`;
      const request = { method: 'GET', path: objectPath(resource, object) } as const;
      const { status, body } = await calls.read(doing, request, { ...options, also: [404] });
      return status === 404 ? undefined : JSON.parse(body);
    },
    list: async (resource, query = {}, options = {}) => (await list(calls, resource, query, options)).items,
    watch: (resource, query = {}, options = {}) => watch(calls, resource, query, options),
    async create(resource, object, options) {
      const { metadata } = object;
      const request = { method: 'POST', path: collectionPath(resource, metadata.namespace), body: object } as const;
      return JSON.parse((await calls.change(`create ${describe(resource, metadata)}`, request, options)).body);
    },
    async patch(resource, object, patch, { type = 'strategic', ...options } = {}) {
      const contentType = `application/${type === 'merge' ? '' : 'strategic-'}merge-patch+json`;
      const request = { method: 'PATCH', path: objectPath(resource, object), body: patch, contentType } as const;
      return JSON.parse((await calls.change(`change ${describe(resource, object)}`, request, options)).body);
    },
    delete: (resource, object, options = {}) => remove(calls, resource, object, options),
    evict: (pod, options) => evict(calls, pod, options),
    master: async (options) => (await calls.current(options)).host,
  };
  return Object.freeze(api);
}

async function remove(calls: Calls, resource: Resource, object: ObjectName, options: DeleteOptions) {
  const { uid, resourceVersion, gracePeriodSeconds, ...limits } = options;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  };
  const request = { method: 'DELETE', path: objectPath(resource, object), body } as const;
  const doing = `delete ${describe(resource, object)}`;
  const response = await calls.change(doing, request, { ...limits, also: [404], gone: uid !== undefined });
  return response.status === 200 || response.status === 202 ? 'deleted' : 'gone';
}

/** "node worker1", "pod default/web-1" */
export const describe = (resource: Resource, { name, namespace }: ObjectName): string =>
  `${resource.replace(/s$/, '')} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** An object's name for further calls. */
export const nameOf = ({ metadata: { name, namespace } }: Stored): ObjectName => ({
  name,
  ...(namespace !== undefined && { namespace }),
});
