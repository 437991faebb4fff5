import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import type { NodeId, PlanNode } from '../../plan/graph.ts';
import type { Finding, GenericStep, StepContext } from '../../step/contract/part.ts';

/** The record of changes that steps write before they change a host. */
export interface ChangeLog {
  /** Whether this run has already remembered the original state of this part; only the first one counts. */
  knows(node: NodeId, part: GenericStep, position: number): boolean;
  /** Resolves when the record is on disk; only then may the host be changed. */
  write(node: PlanNode, part: GenericStep, position: number, before: Json | undefined): Promise<void>;
}

/** Checks all parts in one tick, then runs and verifies the parts that have something to do. */
export async function runStep(
  node: PlanNode,
  ctx: StepContext,
  log: ChangeLog,
  checked?: readonly Finding[],
): Promise<'skipped' | 'done'> {
  const { id, step } = node;
  for (const key of step.needs)
    if (ctx.cache.get(key) === undefined) throw fail('STEP_VALUE_MISSING', { key: key.name });
  const parts = step.parts(ctx);
  const findings = checked ?? (await checkParts(parts, ctx));
  // The host may be up to date while the values that later steps need are missing: only running the step provides them.
  const upToDate = findings.every(({ done }) => done);
  if (upToDate && step.provides.every((key) => ctx.cache.get(key) !== undefined)) return 'skipped';

  let known = findings;
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const finding = known[index - from] ?? (await part.precheck(ctx));
    if (finding.done && !upToDate) continue;
    const before = log.knows(id, part, index) ? undefined : await part.remember?.(ctx);
    ctx.signal.throwIfAborted();
    await log.write(node, part, index, before);
    ctx.signal.throwIfAborted();
    await part.run(ctx);
    // This part is verified together with the check of the next one: one round trip.
    known = await checkParts(parts.slice(index, index + 2), ctx);
    from = index;
    const [now] = known;
    if (now?.done === false) throw fail('STEP_NOT_CONVERGED', { part: part.summary, because: now.because });
  }
  return 'done';
}

/** The findings of all parts, checked in one tick. */
export const checkParts = (parts: readonly GenericStep[], ctx: StepContext): Promise<readonly Finding[]> =>
  Promise.all(parts.map((part) => part.precheck(ctx)));
