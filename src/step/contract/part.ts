import type { Cache } from '../../cache/cache.ts';
import type { Host, Hosts } from '../../common/host.ts';
import type { Json } from '../../common/json.ts';
import type { KubernetesApi } from '../../kubernetes-api/api.ts';
import type { Facts } from '../../runner/facts.ts';
import type { Runner } from '../../runner/runner.ts';
import type { PartKey } from './key.ts';

/** Everything that a step on one host may read and change. */
export interface StepContext {
  /** The id of the run. */
  readonly run: string;
  readonly host: Host;
  readonly hosts: Hosts;
  /** The facts about `host`. */
  readonly facts: Facts;
  /** Bound to `host`. */
  readonly runner: Runner;
  /** The Kubernetes API of the cluster. Connects to a master when it is first used. */
  readonly api: KubernetesApi;
  /** A runner bound to another host, for the few steps that need one. */
  on(host: Host): Runner;
  readonly cache: Cache;
  /** Root-only directory on the host for the backups of this step in this run. */
  readonly keepDir: string;
  /** Root-only directory on the host for the state before the cluster was created; kept until the cluster is deleted. */
  readonly originDir: string;
  /** Root-only directory on the host for files that the steps of this task upload and install. */
  readonly stagingDir: string;
  /** Reports progress; the last line is shown while the step runs and when it times out. */
  say(line: string): void;
  /** Aborted when the step times out or the user stops the run. */
  readonly signal: AbortSignal;
}

/** The input from which a step derives its parts. It has no access to the host, so planning stays pure. */
export type StepView = Pick<StepContext, 'host' | 'hosts' | 'facts'>;

/** The result of a precheck: the host is in the desired state, or why not. */
export type Finding =
  { readonly done: true } | { readonly done: false; readonly because: string; readonly diff?: string };

/** One action on one host, such as writing a file. It has no name, so a task cannot plan it. */
export interface GenericStep {
  /** Identifies the part in journals and backups: "file:/etc/etcd/etcd.yaml". Unique within the step; never changes. */
  readonly key: PartKey;
  /** Shown by dry-run: "write /etc/etcd/etcd.yaml". */
  readonly summary: string;
  /** Texts that identified this part before keys existed; found in old journals and on hosts, never written. */
  readonly formerly?: readonly string[];
  /**
   * Consecutive parts of a step with the same name are remembered, run and checked together, which saves round trips.
   * They must not depend on each other.
   */
  readonly together?: string;
  /** Changes nothing. Issue all queries in one tick, so that they share a round trip. */
  precheck(ctx: StepContext): Promise<Finding>;
  /** Returns the state before `run` changes it. Large content is copied to `ctx.keepDir`, never returned. */
  remember?(ctx: StepContext): Promise<Json>;
  /** Establishes the desired state. Safe to repeat. */
  run(ctx: StepContext): Promise<void>;
  /** Restores the state that `remember` returned. Safe to repeat. */
  rollback?(ctx: StepContext, before: Json): Promise<void>;
  /** For parts whose target can grow: adds to the recorded original what this run changes for the first time. */
  extend?(origin: Json, before: Json): ExtendedOrigin | undefined;
}

/** Restores the original state of a target from the result of `remember`. Safe to repeat. */
export type Restore = (ctx: StepContext, target: string, before: Json) => Promise<void>;

/** An extended original state, and the backups that belong to it: names below `keepDir`. */
export interface ExtendedOrigin {
  readonly before: Json;
  readonly copies: readonly string[];
}
