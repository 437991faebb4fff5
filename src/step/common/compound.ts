import type { Json } from '../../common/json.ts';
import { fieldOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep } from '../contract/part.ts';

/** Several parts that are shown, recorded and undone as one. */
export interface CompoundOptions {
  readonly key: PartKey;
  readonly summary: string;
  readonly formerly: readonly string[];
  /** In order; undone in reverse. */
  readonly parts: readonly GenericStep[];
}

/** Combines parts into one. */
export function compound({ key, summary, formerly, parts }: CompoundOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key,
    summary,
    formerly,
    async precheck(ctx) {
      const findings = await Promise.all(parts.map((part) => part.precheck(ctx)));
      const pending = findings.flatMap((finding) => (finding.done ? [] : finding));
      const diff = pending.flatMap((finding) => finding.diff ?? []).join('\n');
      return findingOf(
        pending.map(({ because }) => because),
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

/** The recorded state of one of the parts. Records from before keys existed identify parts by their position. */
export const beforeOf = (before: Json, keys: readonly PartKey[], key: PartKey): Json =>
  fieldOf(before, key) ?? fieldOf(before, String(keys.indexOf(key))) ?? null;
