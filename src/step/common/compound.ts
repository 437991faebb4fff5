import type { Json } from '../../common/json.ts';
import { fieldOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep } from '../contract/part.ts';

/** Parts that only make sense together, as one. */
export interface TogetherOptions {
  readonly key: PartKey;
  readonly summary: string;
  readonly formerly: readonly string[];
  /** In order; undone in the opposite one. */
  readonly parts: readonly GenericStep[];
}

/** All of the parts hold. */
export function together({ key, summary, formerly, parts }: TogetherOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key,
    summary,
    formerly,
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
      for (const part of parts) kept[part.key] = (await part.remember?.(ctx)) ?? null;
      return kept;
    },
    async run(ctx) {
      for (const part of parts) if (!(await part.precheck(ctx)).done) await part.run(ctx);
    },
    async rollback(ctx, before) {
      const keys = parts.map((part) => part.key);
      for (const part of parts.toReversed()) await part.rollback?.(ctx, beforeOf(before, keys, part.key));
    },
  });
}

/** What was kept for one of the parts; records made before keys existed name parts by their position. */
export const beforeOf = (before: Json, keys: readonly PartKey[], key: PartKey): Json =>
  fieldOf(before, key) ?? fieldOf(before, String(keys.indexOf(key))) ?? null;
