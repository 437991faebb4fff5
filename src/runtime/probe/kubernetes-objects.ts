/** A node, as reported by the API server. */
export interface NodeInfo {
  readonly name: string;
  readonly status: 'Ready' | 'NotReady' | 'Unknown';
  /** Why it is not ready; empty if it is. */
  readonly why: string;
  readonly schedulable: boolean;
  readonly roles: readonly string[];
  readonly version: string;
  readonly address: string;
  readonly system: string;
  readonly kernel: string;
  /** "containerd://2.2.9" */
  readonly runtime: string;
  readonly created: Date | undefined;
}

/** A system pod. */
export interface PodInfo {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly ready: boolean;
  /** "Running", "CrashLoopBackOff" */
  readonly state: string;
  readonly restarts: number;
  readonly images: readonly string[];
}

/** Parses the output of `kubectl get nodes -o json`; undefined if it is anything else. */
export const parseNodes = (text: string): readonly NodeInfo[] | undefined => parseItems(text)?.map(toNode);

/** Parses the output of `kubectl get pods -o json`. Skips succeeded and terminating pods. */
export const parsePods = (text: string): readonly PodInfo[] | undefined =>
  parseItems(text)
    ?.filter(({ status, metadata }) => status.phase !== 'Succeeded' && metadata.deletionTimestamp === undefined)
    .map(toPod);

function parseItems(text: string): readonly (NodeObject & PodObject)[] | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const list: { readonly items?: readonly (NodeObject & PodObject)[] } = JSON.parse(text);
    return list.items;
  } catch {
    return undefined;
  }
}

interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

interface NodeObject {
  readonly metadata: Meta;
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status: {
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: {
      readonly kubeletVersion: string;
      readonly osImage: string;
      readonly kernelVersion: string;
      readonly containerRuntimeVersion: string;
    };
  };
}

function toNode({ metadata, spec, status }: NodeObject): NodeInfo {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const info = status.nodeInfo;
  const prefix = 'node-role.kubernetes.io/';
  return {
    name: metadata.name,
    status: ready?.status === 'True' ? 'Ready' : ready?.status === 'False' ? 'NotReady' : 'Unknown',
    why: ready?.status === 'True' ? '' : (ready?.message ?? 'the kubelet has not reported its status yet'),
    schedulable: spec?.unschedulable !== true,
    roles: Object.keys(metadata.labels ?? {})
      .filter((label) => label.startsWith(prefix))
      .map((label) => label.slice(prefix.length)),
    version: info?.kubeletVersion ?? '',
    address: status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '',
    system: info?.osImage ?? '',
    kernel: info?.kernelVersion ?? '',
    runtime: info?.containerRuntimeVersion ?? '',
    created: metadata.creationTimestamp === undefined ? undefined : new Date(metadata.creationTimestamp),
  };
}

interface ContainerStatus {
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: { readonly reason?: string };
  };
}

interface PodObject {
  readonly metadata: Meta;
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly { readonly image: string }[] };
  readonly status: {
    readonly phase?: string;
    readonly reason?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

function toPod({ metadata, spec, status }: PodObject): PodInfo {
  const containers = status.containerStatuses ?? [];
  const problems = containers.flatMap(({ state }) => state?.waiting?.reason ?? state?.terminated?.reason ?? []);
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    node: spec?.nodeName ?? '',
    ready: status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false,
    state: problems[0] ?? status.reason ?? status.phase ?? 'Unknown',
    restarts: containers.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    images: spec?.containers?.map(({ image }) => image) ?? [],
  };
}
