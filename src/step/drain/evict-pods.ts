import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import { nameOf, type KubernetesApi } from '../../kubernetes-api/api.ts';
import type { Pod, PodDisruptionBudget } from '../../kubernetes-api/objects.ts';
import { createAbortController } from '../../util/abort-signal.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { budgetsOf, closedNow } from './budgets.ts';
import { createDrainReport, REMIND_MS, type DrainReport } from './drain-report.ts';
import type { DrainOptions } from './options.ts';
import { isTerminating, kindOf } from './pods.ts';

/** One drain of one node. */
export interface Drain {
  readonly api: KubernetesApi;
  readonly node: string;
  readonly options: DrainOptions;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Evicts the pods of a node and waits until those with their uids are gone. Follows the pods and the disruption budgets, so
 * that an eviction is tried again as soon as its budget opens.
 */
export async function evictPods(drain: Drain): Promise<void> {
  const { api, node, options, signal } = drain;
  const ended = createAbortController();
  const watching = { signal: AbortSignal.any([signal, ended.signal]) };
  const live: Live = { pods: undefined, budgets: undefined, change: createChange() };
  const report = createDrainReport(node, drain.say);
  const follow = async () => {
    for await (const pods of api.watch('pods', { fields: `spec.nodeName=${node}` }, watching)) {
      live.pods = pods;
      live.change.notify();
    }
  };
  const followBudgets = async () => {
    for await (const budgets of api.watch('poddisruptionbudgets', {}, watching)) {
      live.budgets = budgets;
      live.change.notify();
    }
  };
  const failed = Promise.all([follow(), followBudgets()]);
  try {
    await Promise.race([failed, evictUntilEmpty(drain, live, report, Date.now() + options.timeoutMs)]);
  } finally {
    ended.abort();
    await failed.catch(() => {});
  }
}

/** The current state of the cluster, kept up to date by watches. */
interface Live {
  pods: ReadonlyMap<string, Pod> | undefined;
  budgets: ReadonlyMap<string, PodDisruptionBudget> | undefined;
  readonly change: Change;
}

async function evictUntilEmpty(drain: Drain, live: Live, report: DrainReport, end: number): Promise<void> {
  const { node, options, signal } = drain;
  const attempts: Attempts = new Map();
  for (;;) {
    // Without the budgets, it would not be known which one refuses an eviction.
    const left = live.pods && live.budgets && remaining(live.pods, options);
    if (left) report.left(left);
    if (left?.length === 0) return;
    const due = (left ?? []).filter((pod) => isDue(pod, live, attempts));
    await forEachParallel(due, PARALLEL, (pod) => evictOne(drain, pod, live, attempts, report));
    if (due.length > 0) continue;
    const now = Date.now();
    if (now >= end) throw fail('DRAIN_TIMED_OUT', { node, after: duration(options.timeoutMs), ...report.waiting() });
    report.remind();
    const retries = [...attempts.values()].map(({ retryAt }) => retryAt).filter((time) => time > now);
    await live.change.wait(Math.min(end, now + REMIND_MS, ...retries) - now, signal);
  }
}

const PARALLEL = 8;
const RETRY_MS = 5000;

const duration = (ms: number) => (ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

const remaining = (pods: ReadonlyMap<string, Pod>, { wait }: DrainOptions): readonly Pod[] =>
  [...pods.values()].filter((pod) => kindOf(pod) === 'evictable' && (wait || !isTerminating(pod)));

/** The last eviction of each pod, by uid. */
type Attempts = Map<string, Attempt>;

interface Attempt {
  readonly retryAt: number;
  /** The versions of the budgets that refused it; undefined if they did not. */
  readonly refusedBy: string | undefined;
}

/** A pod that was refused is tried again when its budgets have changed and are open, and after a pause in any case. */
function isDue(pod: Pod, { budgets }: Live, attempts: Attempts): boolean {
  if (isTerminating(pod)) return false;
  const last = attempts.get(pod.metadata.uid);
  if (!last || last.retryAt <= Date.now()) return true;
  const own = budgetsOf(pod, budgets?.values() ?? []);
  const hasChanged = last.refusedBy !== undefined && last.refusedBy !== versionsOf(own);
  return hasChanged && own.every((budget) => closedNow(budget) === undefined);
}

const versionsOf = (budgets: readonly PodDisruptionBudget[]) =>
  budgets.map(({ metadata }) => metadata.resourceVersion).join();

async function evictOne(
  { api, options: { gracePeriodSeconds } }: Drain,
  pod: Pod,
  { budgets }: Live,
  attempts: Attempts,
  report: DrainReport,
): Promise<void> {
  const { uid } = pod.metadata;
  const own = budgetsOf(pod, budgets?.values() ?? []);
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  const eviction = await api.evict(nameOf(pod), { uid, ...grace });
  switch (eviction.type) {
    case 'evicted':
    case 'gone':
      // Soon the watch shows it; until then it must not be evicted again.
      attempts.set(uid, { retryAt: Date.now() + RETRY_MS, refusedBy: undefined });
      return report.evicted(pod);
    case 'blocked':
      attempts.set(uid, { retryAt: Date.now() + (eviction.retryAfterMs ?? RETRY_MS), refusedBy: versionsOf(own) });
      return report.blocked(pod, own, eviction.reason);
    case 'refused':
      attempts.set(uid, { retryAt: Date.now() + RETRY_MS, refusedBy: versionsOf(own) });
      return report.blocked(pod, own, eviction.reason);
  }
}

/** Wakes up a loop. */
interface Change {
  notify(): void;
  /** Resolves after the next change, or after `ms`. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

function createChange(): Change {
  let wake = () => {};
  let next = new Promise<void>((resolve) => (wake = resolve));
  return {
    notify() {
      wake();
      next = new Promise<void>((resolve) => (wake = resolve));
    },
    async wait(ms, signal) {
      const slept = createAbortController();
      const both = AbortSignal.any([signal, slept.signal]);
      await Promise.race([next, sleep(ms, undefined, { signal: both }).catch(() => {})]);
      slept.abort();
      signal.throwIfAborted();
    },
  };
}
