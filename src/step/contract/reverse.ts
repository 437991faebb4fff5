import { sh } from '../../runner/command.ts';
import { DONE } from './finding.ts';
import { originOf, placesOf, readOrigin } from './origin.ts';
import { defineStep, type GenericStep, type Step } from './step.ts';

/** The step that puts back, last part first, what a reversible step found when it first came to a host. */
export const reverse = (step: Step): Step =>
  defineStep({
    name: `${step.name}.undo`,
    summary: `Undo: ${step.summary}`,
    timeoutMs: step.timeoutMs,
    locks: step.locks,
    parts: (view) => [
      ...step
        .everParts(view)
        .filter((part) => part.rollback !== undefined)
        .toReversed()
        .map((part) => undone(step.name, part)),
      ...(step.partsAt ? [undoneEverywhere(step.name, step.partsAt)] : []),
    ],
  });

/** Folders that an earlier config named are as they were, too. */
function undoneEverywhere(step: string, partsAt: NonNullable<Step['partsAt']>): GenericStep {
  return Object.freeze<GenericStep>({
    summary: 'undo: folders that an earlier file named',
    async precheck(ctx) {
      const places = await placesOf(ctx, step);
      return places.length === 0 ? DONE : { done: false, because: `kubexm used ${places.join(', ')}` };
    },
    async run(ctx) {
      for (const place of await placesOf(ctx, step))
        for (const part of partsAt(place).toReversed()) await undone(step, part).run(ctx);
    },
  });
}

/** A part of a step is as it was before the step first changed it. */
export function undone(step: string, part: GenericStep): GenericStep {
  return Object.freeze<GenericStep>({
    summary: `undo: ${part.summary}`,
    async precheck(ctx) {
      const { entry } = originOf(ctx, step, part);
      return (await ctx.runner.stat(entry)) ? { done: false, because: 'kubexm changed it' } : DONE;
    },
    async run(ctx) {
      const place = originOf(ctx, step, part);
      const before = await readOrigin(ctx, place);
      if (before === undefined) return;
      await part.rollback?.({ ...ctx, keepDir: place.folder }, before);
      await ctx.runner.run(sh`rm -rf -- ${place.folder}`);
    },
  });
}
