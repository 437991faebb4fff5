import { flagOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

export interface RunningServiceOptions {
  /** "etcd.service" */
  readonly unit: string;
  /** Paths the service reads on start; it is restarted if one of them is newer than its process. */
  readonly restartIfNewer?: readonly string[];
  /** False if a `recordedService` starts it again after its files were restored. True by default. */
  readonly startOnUndo?: boolean;
}

/** Ensures that the unit is enabled, stays active, and uses its current files. */
export function runningService(options: RunningServiceOptions): GenericStep {
  const { unit, restartIfNewer = [], startOnUndo = true } = options;
  return Object.freeze<GenericStep>({
    key: startOnUndo ? `service:${unit}` : `configured-service:${unit}`,
    summary: `enable and start ${unit}`,
    formerly: [`enable and start ${unit}`],
    precheck: async (ctx) => findingOf((await inspect(ctx, unit, restartIfNewer)).differences),
    async remember({ runner }) {
      const { enabled, active, masked } = await runner.services.state(unit);
      return { enabled, active, masked };
    },
    async run(ctx) {
      const { services } = ctx.runner;
      const { state, newer } = await inspect(ctx, unit, restartIfNewer);
      if (state.masked) await services.unmask(unit);
      // systemd does not report a new drop-in directory, so it is always reloaded before a start.
      if (state.needsReload || !state.active || newer.length > 0) await services.reload();
      if (!state.enabled && !state.fixed) await services.enable(unit);
      if (!state.active) await services.start(unit);
      else if (state.needsReload || newer.length > 0) await services.restart(unit);
    },
    rollback: (ctx, before) => (startOnUndo ? restoreService : restoreConfiguredService)(ctx, unit, before),
  });
}

/** Restores the previous state of the service: stopped, disabled, masked or running. */
export const restoreService: Restore = async (ctx, unit, before) => {
  await restoreConfiguredService(ctx, unit, before);
  const { services } = ctx.runner;
  const state = await services.state(unit);
  if (state.exists && flagOf(before, 'active') && !state.active) await services.start(unit);
};

/**
 * Like `restoreService`, but does not start the service: the part that recorded it does that after its files were
 * restored.
 */
export const restoreConfiguredService: Restore = async ({ runner: { services } }, unit, before) => {
  const state = await services.state(unit);
  if (!state.exists) return;
  if (!flagOf(before, 'active') && !state.status.startsWith('inactive')) await services.stop(unit);
  if (!flagOf(before, 'enabled') && state.enabled) await services.disable(unit);
  if (flagOf(before, 'masked')) await services.mask(unit);
};

async function inspect({ runner }: StepContext, unit: string, paths: readonly string[]) {
  const [state, clock, ...files] = await Promise.all([
    runner.services.state(unit),
    runner.query({ text: 'date +%s%3N', display: 'date' }),
    ...paths.map((path) => runner.stat(path)),
  ]);
  const { since } = state;
  const now = Number(clock.stdout);
  // Ignores timestamps in the future: the clock was set back after the file was written.
  const newer = paths.filter((_, index) => {
    const { mtime } = files[index] ?? {};
    return mtime !== undefined && since !== undefined && mtime > since && mtime <= now;
  });
  const differences = [
    ...(state.exists ? [] : ['unit does not exist']),
    ...(state.masked ? ['masked'] : []),
    ...(state.exists && !state.enabled && !state.fixed ? ['not enabled'] : []),
    ...(state.exists && !state.active ? [state.status] : []),
    ...(state.needsReload ? ['unit file changed'] : []),
    ...(state.active ? newer.map((path) => `${path} is newer than the process`) : []),
  ];
  return { state, newer, differences };
}
