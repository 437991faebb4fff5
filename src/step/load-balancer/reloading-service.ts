import { createHash } from 'node:crypto';
import { dirname } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { flagOf } from '../../util/json-fields.ts';
import { recordedService, restoreRecordedService } from '../common/recorded-service.ts';
import { runningService } from '../common/running-service.ts';
import { DONE, findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

/** A service that reloads its configuration without dropping connections. */
export interface ReloadingServiceOptions {
  readonly unit: string;
  /** The parts that write its files. */
  readonly files: readonly GenericStep[];
  readonly config: string;
}

/** Ensures that the files are written and that the service runs with the current configuration. */
export function reloadingService({ unit, files, config }: ReloadingServiceOptions): readonly GenericStep[] {
  const changes = [...files, runningService({ unit, startOnUndo: false }), loadedConfig(unit, config)];
  return [reloadedOnUndo(unit, changes), ...changes];
}

/** A recorded service that undo also reloads: its start time does not show whether it was reloaded since. */
function reloadedOnUndo(unit: string, changes: readonly GenericStep[]): GenericStep {
  const recorded = recordedService({ unit, changes });
  return Object.freeze<GenericStep>({
    ...recorded,
    key: `reloaded-service:${unit}`,
    rollback: (ctx, before) => restoreReloadedService(ctx, unit, before),
  });
}

/** Restores the service, and reloads it if it keeps running. */
export const restoreReloadedService: Restore = async (ctx, unit, before) => {
  await restoreRecordedService(ctx, unit, before);
  if (flagOf(before, 'active')) await ctx.runner.run(sh`systemctl reload-or-restart ${unit}`);
};

/** Ensures that the service has loaded the current configuration, at its start or by a later reload. */
function loadedConfig(unit: string, config: string): GenericStep {
  const marker = markerOf(unit);
  const readState = async ({ runner }: StepContext) => {
    const [{ since = 0, active }, state, checksum = '', recorded = ''] = await Promise.all([
      runner.services.state(unit),
      runner.stat(config),
      runner.sha256(config),
      runner.read(marker),
    ]);
    const current = createHash('sha256')
      .update(`${Math.round(since / 1000)} ${checksum}`)
      .digest('hex');
    return { loaded: active && ((state?.mtime ?? 0) <= since || recorded === current), current };
  };
  return Object.freeze<GenericStep>({
    key: `loaded-config:${unit}`,
    summary: `reload ${unit}`,
    formerly: [`let ${unit} read ${config}`],
    async precheck(ctx) {
      return (await readState(ctx)).loaded ? DONE : findingOf([`${config} changed since the last reload`]);
    },
    remember: () => Promise.resolve(null),
    async run(ctx) {
      await ctx.runner.run(sh`systemctl reload ${unit}`);
      const { current } = await readState(ctx);
      await ctx.runner.write({ path: marker, content: current, mode: 0o600, owner: 'root:root' });
    },
    rollback: (ctx, before) => restoreLoadedConfig(ctx, unit, before),
  });
}

/** Removes the record of the loaded configuration. */
export const restoreLoadedConfig: Restore = async ({ runner }, unit) => {
  const marker = markerOf(unit);
  await runner.run(
    sh`rm -f -- ${marker} && { rmdir -- ${dirname(marker)} ${dirname(dirname(marker))} 2>/dev/null || true; }`,
  );
};

/** In /run, so that a reboot removes it together with the process. */
const markerOf = (unit: string) => `/run/kubexm/loaded/${unit}`;
