import { fail } from '../../common/errors/errors.ts';
import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { targetOf } from '../contract/key.ts';
import { readOrigin, removeOrigin } from '../contract/origin.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { recordsOf, type KeptRecord } from './records.ts';
import { restore } from './restore.ts';

/** How the changes of a step are undone where restoring everything is not enough. */
export interface UndoOptions {
  /** Keys whose target stays as it is. */
  readonly preserve?: readonly string[];
  /** Whether the host still has what kubexm set; what others changed since is left alone. */
  readonly ours?: (ctx: StepContext, key: string) => Promise<boolean>;
  /** Nothing is undone while this command succeeds. */
  readonly unless?: (ctx: StepContext) => Command;
}

/**
 * The step that restores what the step of this name changed on a host, last part first. It works from the records on
 * the host, by their keys, so it needs neither the settings nor the files that the cluster was created with.
 */
export const undo = (name: string, summary: string, options: UndoOptions = {}): Step =>
  defineStep({
    name: `${name}.undo`,
    summary,
    timeoutMs: AN_HOUR,
    parts: () => [undone(name, options)],
  });

const AN_HOUR = 3_600_000;

function undone(step: string, options: UndoOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `undo:${step}`,
    summary: `restore what ${step} changed`,
    async precheck(ctx) {
      const [records, blocked] = await Promise.all([
        recordsOf(ctx, step),
        options.unless ? ctx.runner.test(options.unless(ctx)) : false,
      ]);
      if (records.length === 0 || blocked) return DONE;
      return { done: false, because: `kubexm changed ${records.map(nameOf).join(', ')}` };
    },
    async run(ctx) {
      const left: string[] = [];
      for (const record of await recordsOf(ctx, step)) left.push(...(await undoRecord(ctx, record, options)));
      if (left.length > 0) throw fail('UNDO_INCOMPLETE', { host: ctx.host.name, left: left.join('; ') });
    },
  });
}

/** Resolves with what could not be restored and why. A record stays on the host until its state is back. */
export async function undoRecord(
  ctx: StepContext,
  { key, origin }: KeptRecord,
  { preserve = [], ours = () => Promise.resolve(true) }: UndoOptions = {},
): Promise<readonly string[]> {
  if (key === undefined) return [`nothing is known about the record ${origin.folder}`];
  const before = await readOrigin(ctx, origin);
  if (before === undefined) return [`${targetOf(key)}: its record ${origin.folder} is missing`];
  if (preserve.includes(key)) ctx.say(`${targetOf(key)} is preserved`);
  else if (!(await ours(ctx, key))) ctx.say(`${targetOf(key)} is left alone: it was changed since kubexm set it`);
  else if (!(await restore({ ...ctx, keepDir: origin.folder }, key, before)))
    return [`${targetOf(key)}: this version cannot restore it from ${origin.folder}`];
  await ctx.runner.run(removeOrigin(origin));
  return [];
}

const nameOf = ({ key, origin }: KeptRecord) => (key === undefined ? origin.folder : targetOf(key));
