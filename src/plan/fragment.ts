import type { Host } from '../common/host.ts';
import type { Step } from '../step/contract/step.ts';

/** A piece of a plan as frozen data. Fragments nest, so a cycle cannot be expressed. */
export type PlanFragment =
  | { readonly type: 'empty' }
  | { readonly type: 'chain'; readonly hosts: readonly Host[]; readonly steps: readonly Step[] }
  | { readonly type: 'sequence' | 'parallel' | 'per-host'; readonly fragments: readonly PlanFragment[] }
  | MilestoneFragment
  | CleanupFragment
  | ScopeFragment;

/** A fragment that all later ones wait for. */
export interface MilestoneFragment {
  readonly type: 'milestone';
  /** The names of the hosts that it waits for. */
  readonly hosts: ReadonlySet<string>;
  readonly fragment: PlanFragment;
}

/** A fragment and what runs after it on its own. */
export interface CleanupFragment {
  readonly type: 'cleanup';
  readonly fragment: PlanFragment;
  readonly cleanup: PlanFragment;
}

/** A named fragment. */
export interface ScopeFragment {
  readonly type: 'scope';
  readonly name: string;
  /** What it does, for people: "Install etcd". */
  readonly title: string;
  readonly fragment: PlanFragment;
}

export const empty: PlanFragment = Object.freeze({ type: 'empty' });

/** Runs one step on one or more hosts. */
export const on = (where: Host | readonly Host[], step: Step): PlanFragment => chain(where, [step]);

/** Runs the steps in order on each host; hosts do not wait for each other. */
export function chain(where: Host | readonly Host[], steps: readonly Step[]): PlanFragment {
  const hosts = 'name' in where ? [where] : [...where];
  if (hosts.length === 0 || steps.length === 0) return empty;
  return Object.freeze({ type: 'chain', hosts: Object.freeze(hosts), steps: Object.freeze([...steps]) });
}

/** Runs the fragments in order; each starts when all hosts have finished the one before. */
export const sequence = (...fragments: readonly PlanFragment[]): PlanFragment => combine('sequence', fragments);

/** Runs the fragments at the same time. */
export const parallel = (...fragments: readonly PlanFragment[]): PlanFragment => combine('parallel', fragments);

/**
 * Runs the fragments in order on each host: a host starts its part of a fragment when it has finished its parts of the
 * fragments before, whatever the other hosts do. Only steps on the local machine are waited for by all hosts.
 */
export const perHost = (...fragments: readonly PlanFragment[]): PlanFragment => combine('per-host', fragments);

/**
 * A fragment of `perHost` that starts when these hosts have finished the fragments before it, and that all hosts wait for.
 */
export const milestone = (hosts: readonly { readonly name: string }[], fragment: PlanFragment): PlanFragment =>
  fragment.type === 'empty'
    ? empty
    : Object.freeze({ type: 'milestone', hosts: new Set(hosts.map(({ name }) => name)), fragment });

/** Runs the cleanup when all hosts have finished the fragment. What follows does not wait for it. */
export const withCleanup = (fragment: PlanFragment, cleanup: PlanFragment): PlanFragment =>
  fragment.type === 'empty' || cleanup.type === 'empty'
    ? fragment
    : Object.freeze({ type: 'cleanup', fragment, cleanup });

/** Names a fragment; the names of the enclosing scopes (module, task) are part of the node ids. */
export const scope = (name: string, fragment: PlanFragment, title = ''): PlanFragment =>
  fragment.type === 'empty' ? empty : Object.freeze({ type: 'scope', name, title, fragment });

function combine(type: 'sequence' | 'parallel' | 'per-host', all: readonly PlanFragment[]): PlanFragment {
  const fragments = all.filter((fragment) => fragment.type !== 'empty');
  const [only = empty] = fragments;
  return fragments.length < 2 ? only : Object.freeze({ type, fragments: Object.freeze(fragments) });
}
