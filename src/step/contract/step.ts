import type { CacheKey } from '../../cache/cache.ts';
import { withOriginRecord } from './origin.ts';
import type { GenericStep, StepView } from './part.ts';

/** A component step before its defaults are filled in. */
export interface StepSpec {
  /** Unique and permanent, "component.verb"; used in logs, tags and journals. */
  readonly name: string;
  readonly summary: string;
  readonly timeoutMs?: number;
  /** Number of retries after a failure; 0 by default. */
  readonly retries?: number;
  /** At most one step at a time holds a lock of this name on a host. */
  readonly locks?: readonly string[];
  readonly needs?: readonly CacheKey<unknown>[];
  readonly provides?: readonly CacheKey<unknown>[];
  /** Keeps the original state on the host, so that `undo` can restore it when the cluster is deleted. */
  readonly reversible?: boolean;
  /** Shows its messages without --verbose, too: it waits for something that the user may have to solve. */
  readonly showsOutput?: boolean;
  /** Whether the first Ctrl-C ends the step already: it only waits, and continues anywhere when it is resumed. */
  readonly stopsAtOnce?: boolean;
  /** The parts for this host, in order. They depend only on facts that the step itself does not change. */
  readonly parts: (view: StepView) => readonly GenericStep[];
}

/** The smallest unit that tasks plan and that users see in logs. */
export interface Step extends Required<StepSpec> {
  /** Keeps plain objects of a similar shape out of plans. */
  readonly type: 'step';
}

/** Builds a component step from parts. It holds no state: the engine runs one step on many hosts at once. */
export const defineStep = (spec: StepSpec): Step =>
  Object.freeze({
    timeoutMs: FIVE_MINUTES,
    retries: 0,
    locks: [],
    needs: [],
    provides: [],
    reversible: false,
    showsOutput: false,
    stopsAtOnce: false,
    ...spec,
    ...(spec.reversible && {
      parts: (view: StepView) => spec.parts(view).map((part, position) => withOriginRecord(spec.name, part, position)),
    }),
    type: 'step' as const,
  });

const FIVE_MINUTES = 300_000;
