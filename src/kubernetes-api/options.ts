/** Limits of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How long to wait for an API server that responds; a minute by default. */
  readonly timeoutMs?: number;
}

/** Options of a deletion. Preconditions protect an object that was created again under the same name. */
export interface DeleteOptions extends CallOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly gracePeriodSeconds?: number;
}

/** Options of a patch; strategic by default, which merges lists by their keys. */
export interface PatchOptions extends CallOptions {
  readonly type?: 'strategic' | 'merge';
}

/** Options of an eviction. */
export interface EvictOptions extends CallOptions {
  readonly uid: string;
  /** The grace period of the pod if undefined. */
  readonly gracePeriodSeconds?: number;
}

/** Which objects of a resource; all of all namespaces by default. */
export interface ListQuery {
  readonly namespace?: string;
  /** "app=web,tier!=cache" */
  readonly labels?: string;
  /** "spec.nodeName=worker1" */
  readonly fields?: string;
}

/** What applies to all calls of a client. */
export interface ApiBinding {
  readonly signal?: AbortSignal;
  /** Called before each change with the master that gets it; throws to refuse. */
  readonly beforeChange?: (master: string) => Promise<void>;
}
