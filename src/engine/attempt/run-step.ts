import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import type { NodeId, PlanNode } from '../../plan/graph.ts';
import type { Finding, GenericStep, StepContext } from '../../step/contract/step.ts';

/** Where steps put down what they are about to change. */
export interface ChangeLog {
  /** Whether this run remembered already what was there before this part; it is not to be remembered again. */
  knows(node: NodeId, part: GenericStep, position: number): boolean;
  /** Resolves when it is on disk: only then the host may be touched. */
  write(node: PlanNode, part: GenericStep, position: number, before: Json | undefined): Promise<void>;
}

/** Looks at all parts in one tick, unless that was done already; when something is to be done, brings the host there part by part and looks again. */
export async function runStep(
  node: PlanNode,
  ctx: StepContext,
  log: ChangeLog,
  found?: readonly Finding[],
): Promise<'skipped' | 'done'> {
  const { id, step } = node;
  for (const key of step.needs)
    if (ctx.cache.get(key) === undefined) throw fail('STEP_VALUE_MISSING', { key: key.name });
  const parts = step.parts(ctx);
  const findings = found ?? (await lookAt(parts, ctx));
  // A host that is as it should be does not have what later steps need: only running the step brings it up.
  const again = findings.every(({ done }) => done);
  if (again && step.provides.every((key) => ctx.cache.get(key) !== undefined)) return 'skipped';

  let known = findings;
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const finding = known[index - from] ?? (await part.precheck(ctx));
    if (finding.done && !again) continue;
    const before = log.knows(id, part, index) ? undefined : await part.remember?.(ctx);
    ctx.signal.throwIfAborted();
    await log.write(node, part, index, before);
    ctx.signal.throwIfAborted();
    await part.run(ctx);
    // What comes next is asked together with how this part went: one round trip.
    known = await lookAt(parts.slice(index, index + 2), ctx);
    from = index;
    const [now] = known;
    if (now?.done === false) throw fail('STEP_NOT_CONVERGED', { part: part.summary, because: now.because });
  }
  return 'done';
}

/** What is to be said of each part, asked in one tick. */
export const lookAt = (parts: readonly GenericStep[], ctx: StepContext): Promise<readonly Finding[]> =>
  Promise.all(parts.map((part) => part.precheck(ctx)));
