import { makeBackupDir } from '../../runner/backup.ts';
import { sh } from '../../runner/command.ts';
import { flagOf, numberOf } from '../../util/json-fields.ts';
import { DONE } from '../contract/finding.ts';
import { backupPath } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** A service, and the parts of a step that may change it. */
export interface RecordedServiceOptions {
  readonly unit: string;
  readonly changes: readonly GenericStep[];
}

/**
 * Records the state of the service if a part is about to change it. As the first part of a step it is undone last, so the
 * service is restarted after its files were restored.
 */
export function recordedService({ unit, changes }: RecordedServiceOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `kept-service:${unit}`,
    summary: `record the state of ${unit}`,
    formerly: [`note how ${unit} runs`],
    async precheck(ctx) {
      const [recorded, ...findings] = await Promise.all([
        ctx.runner.stat(backupPath(ctx, copyOf(unit))),
        ...changes.map((change) => change.precheck(ctx)),
      ]);
      const change = findings.find(({ done }) => !done);
      if (recorded !== undefined || change === undefined || change.done) return DONE;
      return { done: false, because: `about to change: ${change.because}` };
    },
    async remember({ runner }) {
      const { active, since = 0 } = await runner.services.state(unit);
      return { active, since };
    },
    async run(ctx) {
      await ctx.runner.run(
        sh`${makeBackupDir(ctx.keepDir)}; [ -e ${backupPath(ctx, copyOf(unit))} ] || : > ${backupPath(ctx, copyOf(unit))}`,
      );
    },
    rollback: (ctx, before) => restoreRecordedService(ctx, unit, before),
  });
}

/** Restarts a service that was running, if it was restarted since. */
export const restoreRecordedService: Restore = async (ctx, unit, before) => {
  const { services } = ctx.runner;
  const state = await services.state(unit);
  if (state.needsReload) await services.reload();
  // Another start time means that the process has read the changed files.
  const restarted = Math.abs((state.since ?? 0) - numberOf(before, 'since')) > CLOCK_GRAIN_MS;
  if (flagOf(before, 'active') && (restarted || !state.active)) await services.restart(unit);
  await ctx.runner.run(sh`rm -f -- ${backupPath(ctx, copyOf(unit))}`);
};

/** Name of the marker file on the host; must not change between releases. */
const copyOf = (unit: string) => `kept service ${unit}`;

// A start time that is computed from the uptime varies by a few milliseconds.
const CLOCK_GRAIN_MS = 100;
