import type { Host } from '../common/host.ts';
import type { Event, Subscriber } from './event/event.ts';
import { causeOf } from './event/event-text.ts';

/** A summary of a run, collected from its events. */
export interface Summary {
  readonly subscriber: Subscriber;
  /** The slowest steps, slowest first. */
  slowest(): readonly { readonly step: string; readonly host: string; readonly ms: number }[];
  /** Returns the causes of failures, each with all affected steps and hosts. */
  causes(): readonly Cause[];
  readonly durationMs: number;
}

/** A cause of failures, and the affected steps and hosts. */
export interface Cause {
  readonly type: 'failed' | 'quarantined';
  readonly text: string;
  readonly steps: readonly string[];
  readonly hosts: readonly Host[];
  /** The first error with this cause. */
  readonly error: unknown;
}

export function createSummary(keep = 5): Summary {
  const slowest: { step: string; host: string; ms: number }[] = [];
  const causes = new Map<string, Omit<Cause, 'steps' | 'hosts'> & { steps: Set<string>; hosts: Set<Host> }>();
  let durationMs = 0;

  const subscriber = (event: Event): void => {
    if (event.type === 'run-ended') durationMs = event.durationMs;
    if (event.type === 'done' || event.type === 'failed')
      takeTime(event.node.step.name, event.node.host.name, event.durationMs);
    if (event.type !== 'failed' && event.type !== 'quarantined') return;
    const { type, error } = event;
    const text = causeOf(error);
    const cause = causes.get(`${type} ${text}`) ?? { type, text, error, steps: new Set(), hosts: new Set() };
    causes.set(`${type} ${text}`, cause);
    // For a quarantined host, lists only the first step, not every step skipped after it.
    if (event.type === 'failed' || cause.steps.size === 0) cause.steps.add(event.node.step.name);
    cause.hosts.add(event.node.host);
  };
  const takeTime = (step: string, host: string, ms: number) => {
    if (slowest.length === keep && slowest.at(-1)!.ms >= ms) return;
    slowest.push({ step, host, ms });
    slowest.sort((a, b) => b.ms - a.ms).splice(keep);
  };
  return {
    subscriber,
    slowest: () => slowest,
    causes: () => [...causes.values()].map((cause) => ({ ...cause, steps: [...cause.steps], hosts: [...cause.hosts] })),
    get durationMs() {
      return durationMs;
    },
  };
}
