import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import type { NodeId, PlanNode } from '../../plan/graph.ts';
import type { Finding, GenericStep, StepContext } from '../../step/contract/part.ts';

/** The log of changes, which is written before a step changes a host. */
export interface ChangeLog {
  /**
   * Returns whether this run has already recorded the original state of this part. Only the first recorded state is
   * kept.
   */
  knows(node: NodeId, part: GenericStep, position: number): boolean;
  /** Resolves when the record is on disk; only then may the host be changed. */
  write(node: PlanNode, part: GenericStep, position: number, before: Json | undefined): Promise<void>;
}

/** Checks all parts in one tick, then runs and verifies the parts that are not up to date. */
export async function runStep(
  node: PlanNode,
  ctx: StepContext,
  log: ChangeLog,
  checked?: readonly Finding[],
): Promise<'skipped' | 'done'> {
  const { step } = node;
  for (const key of step.needs)
    if (ctx.cache.get(key) === undefined) throw fail('STEP_VALUE_MISSING', { key: key.name });
  const parts = step.parts(ctx);
  const findings = checked ?? (await checkParts(parts, ctx));
  // If the host is up to date but values for later steps are missing, the step must run to provide them.
  const upToDate = findings.every(({ done }) => done);
  if (upToDate && step.provides.every((key) => ctx.cache.get(key) !== undefined)) return 'skipped';

  const groups = groupsOf(parts);
  let known = findings;
  let from = 0;
  for (const [at, { start, end }] of groups.entries()) {
    const found = known.slice(start - from, end - from);
    const now = found.length === end - start ? found : await checkParts(parts.slice(start, end), ctx);
    const todo = parts.slice(start, end).flatMap((part, index): Todo[] => {
      const isDone = now[index]?.done === true && !upToDate;
      return isDone ? [] : [{ part, position: start + index }];
    });
    if (todo.length === 0) continue;
    await runParts(node, ctx, log, todo);
    // Verifies these parts together with the check of the next ones, in one round trip.
    known = await checkParts(parts.slice(start, groups[at + 1]?.end ?? end), ctx);
    from = start;
    for (const { part, position } of todo) {
      const result = known[position - start];
      if (result?.done === false) throw fail('STEP_NOT_CONVERGED', { part: part.summary, because: result.because });
    }
  }
  return 'done';
}

/** A part to run, and its position in the step. */
interface Todo {
  readonly part: GenericStep;
  readonly position: number;
}

/** Records the original state of the parts and the planned changes, then runs the parts. */
async function runParts(node: PlanNode, ctx: StepContext, log: ChangeLog, todo: readonly Todo[]): Promise<void> {
  const before = await allEnded(
    todo.map(async ({ part, position }) => (log.knows(node.id, part, position) ? undefined : part.remember?.(ctx))),
  );
  ctx.signal.throwIfAborted();
  await Promise.all(todo.map(({ part, position }, index) => log.write(node, part, position, before[index])));
  ctx.signal.throwIfAborted();
  await allEnded(todo.map(({ part }) => part.run(ctx)));
}

/** Waits for all promises, so that nothing is still running after one of them has failed. */
async function allEnded<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Returns ranges of consecutive parts that run together. */
function groupsOf(parts: readonly GenericStep[]): readonly { readonly start: number; readonly end: number }[] {
  const groups: { start: number; end: number }[] = [];
  for (const [index, { together }] of parts.entries()) {
    const last = groups.at(-1);
    if (last && together !== undefined && parts[index - 1]?.together === together) last.end = index + 1;
    else groups.push({ start: index, end: index + 1 });
  }
  return groups;
}

/** Checks all parts in one tick and returns their findings. */
export const checkParts = (parts: readonly GenericStep[], ctx: StepContext): Promise<readonly Finding[]> =>
  Promise.all(parts.map((part) => part.precheck(ctx)));
