import { flagOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

/** A service that should run. */
export interface RunningServiceOptions {
  /** "etcd.service" */
  readonly unit: string;
  /** What it reads when it starts: it is started again when one of these is newer than its process. */
  readonly restartIfNewer?: readonly string[];
  /** When undone it is not started again here: its files are still the new ones, and a `keptService` does it after them. */
  readonly keptElsewhere?: boolean;
}

/** The unit is enabled, runs, stays up, and has read its files as they are. */
export function runningService(options: RunningServiceOptions): GenericStep {
  const { unit, restartIfNewer = [], keptElsewhere = false } = options;
  return Object.freeze<GenericStep>({
    key: keptElsewhere ? `configured-service:${unit}` : `service:${unit}`,
    summary: `enable and start ${unit}`,
    formerly: [`enable and start ${unit}`],
    precheck: async (ctx) => findingOf((await look(ctx, unit, restartIfNewer)).differences),
    async remember({ runner }) {
      const { enabled, active, masked } = await runner.services.state(unit);
      return { enabled, active, masked };
    },
    async run(ctx) {
      const { services } = ctx.runner;
      const { state, newer } = await look(ctx, unit, restartIfNewer);
      if (state.masked) await services.unmask(unit);
      // Of a folder of drop-ins that is new systemd says nothing: whatever is started is read anew before.
      if (state.needsReload || !state.active || newer.length > 0) await services.reload();
      if (!state.enabled && !state.fixed) await services.enable(unit);
      if (!state.active) await services.start(unit);
      else if (state.needsReload || newer.length > 0) await services.restart(unit);
    },
    rollback: (ctx, before) => (keptElsewhere ? restoreConfiguredService : restoreService)(ctx, unit, before),
  });
}

/** Stops, disables, masks or starts the service as it was. */
export const restoreService: Restore = async (ctx, unit, before) => {
  await restoreConfiguredService(ctx, unit, before);
  const { services } = ctx.runner;
  const state = await services.state(unit);
  if (state.exists && flagOf(before, 'active') && !state.active) await services.start(unit);
};

/** The same without starting it: its files are still ours, and the part that kept the service restarts it after them. */
export const restoreConfiguredService: Restore = async ({ runner: { services } }, unit, before) => {
  const state = await services.state(unit);
  if (!state.exists) return;
  if (!flagOf(before, 'active') && !state.status.startsWith('inactive')) await services.stop(unit);
  if (!flagOf(before, 'enabled') && state.enabled) await services.disable(unit);
  if (flagOf(before, 'masked')) await services.mask(unit);
};

async function look({ runner }: StepContext, unit: string, paths: readonly string[]) {
  const [state, clock, ...files] = await Promise.all([
    runner.services.state(unit),
    runner.query({ text: 'date +%s%3N', display: 'date' }),
    ...paths.map((path) => runner.stat(path)),
  ]);
  const { since } = state;
  const now = Number(clock.stdout);
  // A time that is still to come says nothing: the clock was set since the file was written.
  const newer = paths.filter((_, place) => {
    const { mtime } = files[place] ?? {};
    return mtime !== undefined && since !== undefined && mtime > since && mtime <= now;
  });
  const differences = [
    ...(state.exists ? [] : ['there is no such unit']),
    ...(state.masked ? ['it is masked'] : []),
    ...(state.exists && !state.enabled && !state.fixed ? ['it is not enabled'] : []),
    ...(state.exists && !state.active ? [`it is ${state.status}`] : []),
    ...(state.needsReload ? ['its unit file has changed'] : []),
    ...(state.active ? newer.map((path) => `${path} is newer than its process`) : []),
  ];
  return { state, newer, differences };
}
