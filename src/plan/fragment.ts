import type { Host } from '../common/host.ts';
import type { Step } from '../step/contract/step.ts';

/** A piece of a plan: frozen data that says what comes after what. A cycle cannot be written. */
export type PlanFragment =
  | { readonly type: 'empty' }
  | { readonly type: 'chain'; readonly hosts: readonly Host[]; readonly steps: readonly Step[] }
  | { readonly type: 'sequence' | 'parallel'; readonly fragments: readonly PlanFragment[] }
  | ScopeFragment;

/** A fragment under a name. */
export interface ScopeFragment extends ScopeOptions {
  readonly type: 'scope';
  readonly name: string;
  readonly fragment: PlanFragment;
}

/** How a scope takes a host that has to be set aside. */
export interface ScopeOptions {
  /** It makes no sense without each of its hosts: one that cannot be reached is a failure. */
  readonly required?: boolean;
}

export const empty: PlanFragment = Object.freeze({ type: 'empty' });

/** One step on one host or some hosts. */
export const on = (where: Host | readonly Host[], step: Step): PlanFragment => chain(where, [step]);

/** Some steps in order, every host at its own pace: b on a host waits for a on that host only. */
export function chain(where: Host | readonly Host[], steps: readonly Step[]): PlanFragment {
  const hosts = 'name' in where ? [where] : [...where];
  if (hosts.length === 0 || steps.length === 0) return empty;
  return Object.freeze({ type: 'chain', hosts: Object.freeze(hosts), steps: Object.freeze([...steps]) });
}

/** One after another: each begins when all hosts are through with the one before. */
export const sequence = (...fragments: readonly PlanFragment[]): PlanFragment => several('sequence', fragments);

/** All at once. */
export const parallel = (...fragments: readonly PlanFragment[]): PlanFragment => several('parallel', fragments);

/** Puts a fragment under a name, which is a part of the ids of its nodes: module, then task. */
export const scope = (name: string, fragment: PlanFragment, options: ScopeOptions = {}): PlanFragment =>
  fragment.type === 'empty' ? empty : Object.freeze({ type: 'scope', name, fragment, ...options });

function several(type: 'sequence' | 'parallel', all: readonly PlanFragment[]): PlanFragment {
  const fragments = all.filter((fragment) => fragment.type !== 'empty');
  const [only = empty] = fragments;
  return fragments.length < 2 ? only : Object.freeze({ type, fragments: Object.freeze(fragments) });
}
