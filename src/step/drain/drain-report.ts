import type { Pod, PodDisruptionBudget } from '../../kubernetes-api/objects.ts';
import { closedNow } from './budgets.ts';
import { fullName, isTerminating } from './pods.ts';

/** Reports the progress of a drain: which pods were evicted, and which ones wait for what since when. */
export interface DrainReport {
  /** The pods that are still on the node. */
  left(pods: readonly Pod[]): void;
  evicted(pod: Pod): void;
  /** A pod that may not be evicted now, the budgets that select it, and the words of the API server. */
  blocked(pod: Pod, budgets: readonly PodDisruptionBudget[], reason: string): void;
  /** Repeats what is waited for, so that it stays visible. */
  remind(): void;
  /** What is waited for, for an error. */
  waiting(): { readonly count: number; readonly waiting: string };
}

export function createDrainReport(node: string, say: (line: string) => void, now = () => Date.now()): DrainReport {
  let current: readonly Pod[] = [];
  let remindedAt = now();
  const seen = new Set<string>();
  const evicted = new Set<string>();
  const blocked = new Map<string, Blocked>();
  const tell = (text: string) => say(`${node}: ${text}`);
  const lineOf = (pod: Pod) =>
    isTerminating(pod) ? terminating(pod) : waitingText(pod, blocked.get(pod.metadata.uid));
  const summarize = () => {
    const [first, ...others] = current.map(lineOf).filter((line) => line !== undefined);
    const more = others.length > 0 ? `; ${others.length} more ${others.length === 1 ? 'waits' : 'wait'}` : '';
    remindedAt = now();
    tell(`${counted(current.length)} of ${seen.size} left${first === undefined ? '' : `; ${first}${more}`}`);
  };
  return {
    left(pods) {
      const [before, known] = [current.length, seen.size];
      current = pods;
      for (const { metadata } of pods) seen.add(metadata.uid);
      if (known === 0 && pods.length > 0) tell(`evicting ${counted(pods.length)}`);
      else if (pods.length !== before) summarize();
    },
    evicted(pod) {
      const { uid } = pod.metadata;
      blocked.delete(uid);
      if (!evicted.has(uid)) tell(`evicted ${fullName(pod)}`);
      evicted.add(uid);
    },
    blocked(pod, budgets, reason) {
      const { uid } = pod.metadata;
      const known = blocked.get(uid);
      const wait = { budgets, reason, since: known?.since ?? now() };
      blocked.set(uid, wait);
      const text = waitingText(pod, wait);
      if (text !== waitingText(pod, known)) tell(text ?? '');
    },
    remind() {
      if (now() - remindedAt >= REMIND_MS) summarize();
    },
    waiting: () => ({
      count: current.length,
      waiting: current.map((pod) => lineOf(pod) ?? `${fullName(pod)} was not evicted`).join('\n'),
    }),
  };
}

/** Why a pod was not evicted, and since when. */
interface Blocked {
  readonly budgets: readonly PodDisruptionBudget[];
  readonly reason: string;
  readonly since: number;
}

function waitingText(pod: Pod, blocked: Blocked | undefined): string | undefined {
  if (!blocked) return undefined;
  const { budgets, reason, since } = blocked;
  const [budget, ...others] = budgets;
  const name = fullName(pod);
  if (!budget || others.length > 0) return `${name} cannot be evicted since ${clock(since)}: ${reason}`;
  return `${name} waits for the disruption budget ${budget.metadata.name} since ${clock(since)}: ${closedNow(budget) ?? reason}`;
}

function terminating(pod: Pod): string {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
  // The timestamp is the end of the grace period.
  const since = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  const held = finalizers.length > 0 ? `, held by the finalizer ${finalizers.join(', ')}` : '';
  return `${fullName(pod)} has been terminating since ${clock(since)}${held}`;
}

/** How often it is repeated what a drain waits for. */
export const REMIND_MS = 30_000;

const counted = (count: number) => `${count} ${count === 1 ? 'pod' : 'pods'}`;

/** "14:03:59" on this machine. */
const clock = (at: number) => new Date(at).toTimeString().slice(0, 8);
