import { fail } from '../../common/errors/errors.ts';
import { sh } from '../../runner/command.ts';
import type { StepContext } from '../contract/part.ts';
import { kubectl } from './kubectl.ts';
import type { Manifest } from './manifest.ts';
import { NOT_READY_PODS, parseNotReadyPods, type NotReadyContainer, type NotReadyPod } from './not-ready-pods.ts';

/** The workloads that a step waits for. */
export interface WatchedWorkloads {
  /** "flannel" */
  readonly name: string;
  readonly workloads: readonly Manifest[];
  /** For workloads without a namespace. */
  readonly namespace: string;
}

/** Called after each failed poll of a wait; throws as soon as waiting is pointless. */
export type FailureWatch = (ctx: StepContext, state: { readonly timedOut: boolean }) => Promise<void>;

/**
 * Watches the Pods of workloads while a step waits for them. Fails if a container keeps failing, with its last output. A
 * Pod that is still being created, or one that may become ready, is waited for: others often fail until it is.
 */
export function watchFailures(watched: WatchedWorkloads): FailureWatch {
  const since = new Map<string, FirstFailure>();
  let next = 0;
  return async (ctx, { timedOut }) => {
    const now = Date.now();
    if (now < next && !timedOut) return;
    const isFirst = next === 0;
    next = now + PAUSE_MS;
    const pods = await notReadyPods(ctx, watched);
    for (const pod of pods) {
      const { restarts } = failure(pod) ?? {};
      if (restarts !== undefined && !since.has(pod.name)) since.set(pod.name, { at: now, restarts, isOld: isFirst });
    }
    const isStuck = (pod: NotReadyPod) => timedOut || now - (since.get(pod.name)?.at ?? now) >= graceOf(pod, since);
    const first = pods.find((pod) => failure(pod) && isStuck(pod));
    const isHopeless = pods.every((pod) => (failure(pod) && isStuck(pod)) || isBetweenCrashes(pod));
    if (first && (isHopeless || timedOut)) throw await failed(ctx, watched.name, first);
  };
}

const PAUSE_MS = 5000;

/** When a Pod was first seen failing, and whether it had failed before the step waited for it. */
interface FirstFailure {
  readonly at: number;
  readonly restarts: number;
  readonly isOld: boolean;
}

/** The cause of an old failure may be fixed, but the kubelet tries again only after up to five minutes. */
function graceOf(pod: NotReadyPod, since: ReadonlyMap<string, FirstFailure>): number {
  const first = since.get(pod.name);
  return first?.isOld && failure(pod)?.restarts === first.restarts ? MAX_BACK_OFF_MS + GRACE_MS : GRACE_MS;
}

const GRACE_MS = 60_000;
const MAX_BACK_OFF_MS = 300_000;

/** The container of a Pod that fails again and again; undefined if it may still start. */
const failure = ({ containers }: NotReadyPod): NotReadyContainer | undefined =>
  containers.find(({ state, restarts }) => CANNOT_START.has(state) || (CRASHED.has(state) && restarts >= MIN_RESTARTS));

const isBetweenCrashes = ({ containers }: NotReadyPod): boolean =>
  containers.some(({ state, restarts }) => state === 'Running' && restarts >= MIN_RESTARTS);

/** A container that crashed a few times may have waited for another one. */
const MIN_RESTARTS = 3;
const CRASHED = new Set(['CrashLoopBackOff', 'Error', 'Completed', 'OOMKilled', 'ContainerCannotRun', 'StartError']);
const CANNOT_START = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

async function notReadyPods(
  { runner }: StepContext,
  { workloads, namespace }: WatchedWorkloads,
): Promise<readonly NotReadyPod[]> {
  const namespaces = [...new Set(workloads.map(({ metadata }) => metadata.namespace ?? namespace))];
  const lists = await Promise.all(
    namespaces.map((each) => runner.query(kubectl(sh`-n ${each} get pods -o ${`go-template=${NOT_READY_PODS}`}`))),
  );
  return lists
    .flatMap(({ exit, stdout }) => (exit === 0 ? parseNotReadyPods(stdout) : []))
    .filter((pod) => workloads.some((workload) => isOwner(workload, namespace, pod)));
}

/** Pods of a Deployment belong to a ReplicaSet that is named after it. */
const isOwner = ({ kind, metadata }: Manifest, namespace: string, { owner, ...pod }: NotReadyPod): boolean =>
  pod.namespace === (metadata.namespace ?? namespace) &&
  (kind === 'Deployment'
    ? owner.kind === 'ReplicaSet' && owner.name.replace(/-[^-]*$/, '') === metadata.name
    : owner.kind === kind && owner.name === metadata.name);

async function failed(ctx: StepContext, name: string, pod: NotReadyPod): Promise<Error> {
  const { name: container = '', state = '', restarts = 0, message = '' } = failure(pod) ?? {};
  const { stdout } = CANNOT_START.has(state) ? { stdout: '' } : await ctx.runner.query(lastOutput(pod, container));
  return fail('WORKLOAD_FAILED', {
    name,
    host: ctx.host.name,
    node: pod.node,
    namespace: pod.namespace,
    pod: pod.name,
    container,
    state,
    restarts,
    output: stdout.trim() || message,
  });
}

/** The last lines before the container ended, or of the one that runs now. */
const lastOutput = ({ namespace, name }: NotReadyPod, container: string) => {
  const logs = sh`-n ${namespace} logs ${name} -c ${container} --tail=8`;
  return sh`${kubectl(sh`${logs} --previous`)} 2>/dev/null || ${kubectl(logs)} 2>/dev/null`;
};
