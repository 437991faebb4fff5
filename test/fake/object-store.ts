/** An object in the store of API servers. */
export interface StoredObject {
  readonly path: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
  /** Only the fields that evictions and tests read; objects of every kind are stored whole. */
  readonly spec?: {
    readonly nodeName?: string;
    readonly unschedulable?: boolean;
    readonly selector?: { readonly matchLabels: Readonly<Record<string, string>> };
  };
  readonly status?: {
    readonly disruptionsAllowed: number;
    readonly desiredHealthy: number;
    readonly currentHealthy: number;
  };
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

interface Reply {
  readonly code: number;
  readonly body: object;
}

/** What API servers of one cluster share: objects, versions and changes. */
export interface ObjectStore {
  /** Stores an object at a path such as "/api/v1/nodes/w1". */
  put(path: string, object: object): StoredObject;
  /** Removes an object at once, as the kubelet does after a pod has stopped. */
  remove(path: string): void;
  get(path: string): StoredObject | undefined;
  all(): readonly StoredObject[];
  version(): number;
  oldest(): number;
  /** Forgets old changes, so that watches from before expire. */
  compact(): void;
  since(version: number): readonly Change[];
  follow(send: (change: Change) => void): () => void;
  create(collection: string, object: object): Reply;
  patch(path: string, patch: object): Reply;
  delete(path: string, options: DeleteBody | undefined): Reply;
  evict(path: string, eviction: { readonly deleteOptions?: DeleteBody } | undefined): Reply;
  /** Called for each pod that is evicted or deleted; by default the pod is removed at once. */
  onDelete: (path: string) => void;
}

interface DeleteBody {
  readonly preconditions?: { readonly uid?: string };
}

export function createObjectStore(): ObjectStore {
  const objects = new Map<string, StoredObject>();
  const followers = new Set<(change: Change) => void>();
  let changes: Change[] = [];
  let version = 100;
  let oldest = 100;
  let uids = 0;
  const record = (type: Change['type'], object: StoredObject) => {
    const change = { type, object };
    changes.push(change);
    for (const send of followers) send(change);
  };
  const put = (path: string, object: object & { metadata?: object }): StoredObject => {
    const before = objects.get(path);
    const metadata = {
      name: path.split('/').at(-1) ?? '',
      ...namespaceOf(path),
      ...object.metadata,
      uid: before?.metadata.uid ?? `uid-${++uids}`,
      resourceVersion: String(++version),
    };
    const stored: StoredObject = { ...object, path, metadata };
    objects.set(path, stored);
    record(before ? 'MODIFIED' : 'ADDED', stored);
    return stored;
  };
  const remove = (path: string) => {
    const object = objects.get(path);
    if (!object) return;
    objects.delete(path);
    record('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } });
  };
  const begin = (object: StoredObject) => {
    put(object.path, { ...object, metadata: { ...object.metadata, deletionTimestamp: new Date().toISOString() } });
    if ((object.metadata.finalizers ?? []).length === 0) store.onDelete(object.path);
  };
  const store: ObjectStore = {
    put,
    remove,
    get: (path) => objects.get(path),
    all: () => [...objects.values()],
    version: () => version,
    oldest: () => oldest,
    compact() {
      changes = [];
      oldest = version + 1;
    },
    since: (from) => changes.filter(({ object }) => Number(object.metadata.resourceVersion) > from),
    follow(send) {
      followers.add(send);
      return () => followers.delete(send);
    },
    onDelete: remove,
    create(collection, object: object & { metadata?: { readonly name?: string } }) {
      const path = `${collection}/${object.metadata?.name}`;
      if (objects.has(path)) return failure(409, 'AlreadyExists', `${path} already exists`);
      return { code: 201, body: put(path, object) };
    },
    patch(path, patch) {
      const found = objects.get(path);
      return found ? { code: 200, body: put(path, merged(found, patch)) } : missing(path);
    },
    delete(path, options) {
      const found = objects.get(path);
      if (!found) return missing(path);
      const { uid } = options?.preconditions ?? {};
      if (uid !== undefined && uid !== found.metadata.uid) return otherUid(uid, found);
      begin(found);
      return { code: 200, body: found };
    },
    evict(path, eviction) {
      const pod = objects.get(path);
      if (!pod) return missing(path);
      const { uid } = eviction?.deleteOptions?.preconditions ?? {};
      if (uid !== undefined && uid !== pod.metadata.uid) return otherUid(uid, pod);
      const [budget, second] = [...objects.values()].filter((each) => selects(each, pod));
      if (second) return failure(500, 'InternalError', 'This pod has more than one PodDisruptionBudget.');
      const allowed = budget?.status?.disruptionsAllowed ?? 0;
      if (budget && allowed === 0) return blocked(budget);
      if (budget) put(budget.path, merged(budget, { status: { disruptionsAllowed: allowed - 1 } }));
      begin(pod);
      return { code: 201, body: { kind: 'Status', status: 'Success' } };
    },
  };
  return store;
}

const namespaceOf = (path: string) => {
  const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
  return namespace === undefined ? {} : { namespace };
};

const failure = (code: number, reason: string, message: string, more: object = {}): Reply => ({
  code,
  body: { kind: 'Status', status: 'Failure', code, reason, message, ...more },
});

const missing = (path: string) =>
  failure(404, 'NotFound', `${path.split('/').at(-2)} "${path.split('/').at(-1)}" not found`);

/** In the words of Kubernetes 1.36. */
const otherUid = (uid: string, { metadata }: StoredObject) =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on "${metadata.name}": the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
  );

function blocked({ metadata, status }: StoredObject): Reply {
  const message = `The disruption budget ${metadata.name} needs ${status?.desiredHealthy} healthy pods and has ${status?.currentHealthy} currently`;
  return failure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    details: { causes: [{ reason: 'DisruptionBudget', message }] },
  });
}

const selects = ({ path, metadata, spec }: StoredObject, pod: StoredObject) =>
  path.includes('/poddisruptionbudgets/') &&
  metadata.namespace === pod.metadata.namespace &&
  Object.entries(spec?.selector?.matchLabels ?? {}).every(([key, value]) => pod.metadata.labels?.[key] === value);

/** A merge patch: null removes a field. */
function merged(target: object, patch: object): object {
  const result = Object.fromEntries<unknown>(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = result[key];
    if (value === null) delete result[key];
    else if (typeof value !== 'object' || Array.isArray(value)) result[key] = value;
    else result[key] = merged(typeof before === 'object' && before !== null ? before : {}, value);
  }
  return result;
}
