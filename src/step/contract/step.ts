import type { Cache, CacheKey } from '../../cache/cache.ts';
import type { Host, Hosts } from '../../common/host.ts';
import type { Json } from '../../common/json.ts';
import type { Facts } from '../../runner/facts.ts';
import type { Runner } from '../../runner/runner.ts';
import type { PartKey } from './key.ts';
import { keepsOrigin } from './origin.ts';

/** All that one step on one host can see and touch. */
export interface StepContext {
  /** The id of the run. */
  readonly run: string;
  readonly host: Host;
  readonly hosts: Hosts;
  /** What was found out about `host`. */
  readonly facts: Facts;
  /** Bound to `host`. */
  readonly runner: Runner;
  /** Bound to another host, for the rare step that must look elsewhere. */
  on(host: Host): Runner;
  readonly cache: Cache;
  /** A folder on the host, root's alone, where this step of this run may keep what was there before. */
  readonly keepDir: string;
  /** A folder on the host, root's alone, for what was there before the cluster came; it stays until the cluster goes. */
  readonly originDir: string;
  /** A folder on the host, root's alone, for what the steps of this task upload to install it. */
  readonly stagingDir: string;
  /** Tells what goes on: the last line is shown for what hangs. */
  say(line: string): void;
  /** Aborted when the step's time is up or the user stops the run. */
  readonly signal: AbortSignal;
}

/** What a step may decide by. It cannot reach the host, so deciding stays pure. */
export type StepView = Pick<StepContext, 'host' | 'hosts' | 'facts'>;

/** What looking found: the host is as it should be, or why not. */
export type Finding =
  { readonly done: true } | { readonly done: false; readonly because: string; readonly diff?: string };

/** A verb on one host, such as "write this file". It has no name, so a task cannot plan it. */
export interface GenericStep {
  /** Permanent and unique within the step, "file:/etc/etcd/etcd.yaml": journals and kept originals are matched by it. */
  readonly key: PartKey;
  /** What dry-run prints: "write /etc/etcd/etcd.yaml". */
  readonly summary: string;
  /** The texts that identified this part before keys existed: read from old journals and hosts, never written. */
  readonly formerly?: readonly string[];
  /** Looks only. Ask all questions in one tick: they travel together. */
  precheck(ctx: StepContext): Promise<Finding>;
  /** Looks at what is there before `run` changes it; big content is copied to `ctx.keepDir`, never into the result. */
  remember?(ctx: StepContext): Promise<Json>;
  /** Brings the host there. Safe to repeat. */
  run(ctx: StepContext): Promise<void>;
  /** Restores what `remember` saw. Safe to repeat. */
  rollback?(ctx: StepContext, before: Json): Promise<void>;
  /** For parts whose target can grow: the kept original, extended by what this run changes for the first time. */
  extend?(origin: Json, before: Json): ExtendedOrigin | undefined;
}

/** Restores the original state of a target on a host from what `remember` saw: all that undoing needs. Safe to repeat. */
export type Restore = (ctx: StepContext, target: string, before: Json) => Promise<void>;

/** An original state that covers more than before, and the copies that belong to it: names below `keepDir`. */
export interface ExtendedOrigin {
  readonly before: Json;
  readonly copies: readonly string[];
}

/** A component step before its defaults are filled in. */
export interface StepSpec {
  /** Unique and permanent, "component.verb": logs, tags and journals have it. */
  readonly name: string;
  readonly summary: string;
  readonly timeoutMs?: number;
  /** How often it may be tried again after a failure; 0 unless it is declared. */
  readonly retries?: number;
  /** Only one step at a time on a host holds a lock of this name. */
  readonly locks?: readonly string[];
  readonly needs?: readonly CacheKey<unknown>[];
  readonly provides?: readonly CacheKey<unknown>[];
  /** Its parts keep the original state on the host, so that `undo` can restore it when the cluster is deleted. */
  readonly reversible?: boolean;
  /** What the step does on this host, in order. It depends only on facts that the step itself does not change. */
  readonly parts: (view: StepView) => readonly GenericStep[];
}

/** The smallest thing a task plans, a user sees and a log names. */
export interface Step extends Required<StepSpec> {
  /** Keeps plain objects that only look alike out of plans. */
  readonly type: 'step';
}

/** Makes a component step out of generic ones. It holds no state: the engine runs one step on many hosts at once. */
export const defineStep = (spec: StepSpec): Step =>
  Object.freeze({
    timeoutMs: FIVE_MINUTES,
    retries: 0,
    locks: [],
    needs: [],
    provides: [],
    reversible: false,
    ...spec,
    ...(spec.reversible && {
      parts: (view: StepView) => spec.parts(view).map((part, position) => keepsOrigin(spec.name, part, position)),
    }),
    type: 'step' as const,
  });

const FIVE_MINUTES = 300_000;
