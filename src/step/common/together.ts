import type { Json } from '../../common/json.ts';
import { fieldOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep } from '../contract/step.ts';

/** Parts that only make sense together, as one. */
export interface TogetherOptions {
  readonly summary: string;
  /** Names the state that is kept, whatever it is set to. */
  readonly state: string;
  /** In order; undone in the opposite one. */
  readonly parts: readonly GenericStep[];
}

/** All of the parts hold. */
export function together({ summary, state, parts }: TogetherOptions): GenericStep {
  return Object.freeze<GenericStep>({
    summary,
    state,
    async precheck(ctx) {
      const findings = await Promise.all(parts.map((part) => part.precheck(ctx)));
      const open = findings.flatMap((finding) => (finding.done ? [] : finding));
      const diff = open.flatMap((finding) => finding.diff ?? []).join('\n');
      return findingOf(
        open.map(({ because }) => because),
        diff,
      );
    },
    async remember(ctx) {
      const kept: Record<string, Json> = {};
      for (const [place, part] of parts.entries()) kept[place] = (await part.remember?.(ctx)) ?? null;
      return kept;
    },
    async run(ctx) {
      for (const part of parts) if (!(await part.precheck(ctx)).done) await part.run(ctx);
    },
    async rollback(ctx, before) {
      for (const [place, part] of [...parts.entries()].toReversed()) {
        await part.rollback?.(ctx, fieldOf(before, String(place)) ?? null);
      }
    },
  });
}
