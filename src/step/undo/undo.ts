import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { targetOf } from '../contract/key.ts';
import { readOrigin, removeOrigin, type Origin } from '../contract/origin.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { recordsOf, type KeptRecord } from './records.ts';
import { restore } from './restore.ts';

/** Exceptions from restoring everything that a step changed. */
export interface UndoOptions {
  /** Selects keys whose targets are left unchanged. */
  readonly preserve?: (key: string) => boolean;
  /** Whether a target still has the state that kubexm set; targets that others changed since are left unchanged. */
  readonly isUnchanged?: (ctx: StepContext, key: string) => Promise<boolean>;
  /** Nothing is undone while this command succeeds. */
  readonly unless?: (ctx: StepContext) => Command;
}

/**
 * Restores everything that the step with this name changed on a host, in reverse order. It uses the records on the
 * host, by their keys, so it needs neither the settings nor the files that the cluster was created with.
 */
export const undo = (name: string, summary: string, options: UndoOptions = {}): Step =>
  defineStep({
    name: `${name}.undo`,
    summary,
    timeoutMs: AN_HOUR,
    parts: () => [restoreRecords(name, options)],
  });

const AN_HOUR = 3_600_000;

function restoreRecords(step: string, options: UndoOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `undo:${step}`,
    summary: `undo ${step}`,
    async precheck(ctx) {
      const [records, blocked] = await Promise.all([
        recordsOf(ctx, step),
        options.unless ? ctx.runner.test(options.unless(ctx)) : false,
      ]);
      if (records.length === 0 || blocked) return DONE;
      return { done: false, because: `changed by kubexm: ${records.map(nameOf).join(', ')}` };
    },
    async run(ctx) {
      const left: string[] = [];
      for (const record of await recordsOf(ctx, step)) left.push(...(await undoRecord(ctx, record, options)));
      if (left.length > 0) throw fail('UNDO_INCOMPLETE', { host: ctx.host.name, left: left.join('; ') });
    },
  });
}

/** Restores one record. Returns what could not be restored and why; that record stays on the host. */
export async function undoRecord(
  ctx: StepContext,
  { key, origin }: KeptRecord,
  { preserve = () => false, isUnchanged = () => Promise.resolve(true) }: UndoOptions = {},
): Promise<readonly string[]> {
  if (key === undefined) return [`unknown record ${origin.folder}`];
  const before = await readOrigin(ctx, origin);
  if (before === undefined) return [`${targetOf(key)}: record ${origin.folder} is missing`];
  if (preserve(key)) ctx.say(`${targetOf(key)} is left unchanged`);
  else if (!(await isUnchanged(ctx, key)))
    ctx.say(`${targetOf(key)} was changed after kubexm set it; leaving it unchanged`);
  else {
    const problem = await restoreFrom(ctx, origin, key, before);
    if (problem !== undefined) return [`${targetOf(key)}: ${problem}`];
  }
  await ctx.runner.run(removeOrigin(origin));
  return [];
}

/** Restores a target from its record; returns why it cannot, if the record or this version lacks what is needed. */
async function restoreFrom(ctx: StepContext, { folder }: Origin, key: string, before: Json) {
  try {
    const restored = await restore({ ...ctx, keepDir: folder }, key, before);
    return restored ? undefined : `this version of kubexm cannot restore ${folder}`;
  } catch (error) {
    if (error instanceof KubexmError && error.code === 'KEPT_COPY_MISSING') return `record ${folder} has no backup`;
    throw error;
  }
}

const nameOf = ({ key, origin }: KeptRecord) => (key === undefined ? origin.folder : targetOf(key));
