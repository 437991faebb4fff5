import { makeBackupDir } from '../../runner/backup.ts';
import { sh } from '../../runner/command.ts';
import { flagOf, numberOf } from '../../util/json-fields.ts';
import { DONE } from '../contract/finding.ts';
import { keptAt } from '../contract/keep.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** A service, and the parts of a step that are about to change it. */
export interface KeptServiceOptions {
  readonly unit: string;
  readonly changes: readonly GenericStep[];
}

/**
 * It is noted how the service ran, unless nothing is going to change it. As the first part of a step it is undone last:
 * when the files are as they were, the service is started with them.
 */
export function keptService({ unit, changes }: KeptServiceOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `kept-service:${unit}`,
    summary: `note how ${unit} runs`,
    formerly: [`note how ${unit} runs`],
    async precheck(ctx) {
      const [noted, ...findings] = await Promise.all([
        ctx.runner.stat(keptAt(ctx, copyOf(unit))),
        ...changes.map((change) => change.precheck(ctx)),
      ]);
      const change = findings.find(({ done }) => !done);
      if (noted !== undefined || change === undefined || change.done) return DONE;
      return { done: false, because: `it is about to be changed: ${change.because}` };
    },
    async remember({ runner }) {
      const { active, since = 0 } = await runner.services.state(unit);
      return { active, since };
    },
    async run(ctx) {
      await ctx.runner.run(
        sh`${makeBackupDir(ctx.keepDir)}; [ -e ${keptAt(ctx, copyOf(unit))} ] || : > ${keptAt(ctx, copyOf(unit))}`,
      );
    },
    rollback: (ctx, before) => restoreKeptService(ctx, unit, before),
  });
}

/** Restarts a service that ran, if another process has read the files since. */
export const restoreKeptService: Restore = async (ctx, unit, before) => {
  const { services } = ctx.runner;
  const state = await services.state(unit);
  if (state.needsReload) await services.reload();
  // Another process has read the files of in between.
  const touched = Math.abs((state.since ?? 0) - numberOf(before, 'since')) > CLOCK_GRAIN_MS;
  if (flagOf(before, 'active') && (touched || !state.active)) await services.restart(unit);
  await ctx.runner.run(sh`rm -f -- ${keptAt(ctx, copyOf(unit))}`);
};

/** Names the marker that the state of the service was kept; permanent. */
const copyOf = (unit: string) => `kept service ${unit}`;

// Where systemd does not tell it to the millisecond it is counted from the time since the boot.
const CLOCK_GRAIN_MS = 100;
