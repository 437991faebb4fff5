import { createHash } from 'node:crypto';
import { dirname } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { flagOf } from '../../util/json-fields.ts';
import { recordedService, restoreRecordedService } from '../common/recorded-service.ts';
import { runningService } from '../common/running-service.ts';
import { DONE, findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

/** A service that takes a new configuration without letting go of its connections. */
export interface ReloadingServiceOptions {
  readonly unit: string;
  /** What writes its files. */
  readonly files: readonly GenericStep[];
  readonly config: string;
}

/** The files are as they should be, the service runs, and has read its configuration as it is. */
export function reloadingService({ unit, files, config }: ReloadingServiceOptions): readonly GenericStep[] {
  const changes = [...files, runningService({ unit, startOnUndo: false }), loadedConfig(unit, config)];
  return [reloadedOnUndo(unit, changes), ...changes];
}

/** Noted as for a service that is restarted; but its process does not tell what it has read in between. */
function reloadedOnUndo(unit: string, changes: readonly GenericStep[]): GenericStep {
  const kept = recordedService({ unit, changes });
  return Object.freeze<GenericStep>({
    ...kept,
    key: `reloaded-service:${unit}`,
    rollback: (ctx, before) => restoreReloadedService(ctx, unit, before),
  });
}

/** Restores the service, and lets a process that ran on read its files again. */
export const restoreReloadedService: Restore = async (ctx, unit, before) => {
  await restoreRecordedService(ctx, unit, before);
  if (flagOf(before, 'active')) await ctx.runner.run(sh`systemctl reload-or-restart ${unit}`);
};

/** The service has read its configuration: with its process, or later when it was told to. */
function loadedConfig(unit: string, config: string): GenericStep {
  const note = noteOf(unit);
  const look = async ({ runner }: StepContext) => {
    const [{ since = 0, active }, state, sum = '', noted = ''] = await Promise.all([
      runner.services.state(unit),
      runner.stat(config),
      runner.sha256(config),
      runner.read(note),
    ]);
    const read = createHash('sha256')
      .update(`${Math.round(since / 1000)} ${sum}`)
      .digest('hex');
    return { loaded: active && ((state?.mtime ?? 0) <= since || noted === read), read };
  };
  return Object.freeze<GenericStep>({
    key: `loaded-config:${unit}`,
    summary: `let ${unit} read ${config}`,
    formerly: [`let ${unit} read ${config}`],
    async precheck(ctx) {
      return (await look(ctx)).loaded ? DONE : findingOf([`it has not read ${config} as it is`]);
    },
    remember: () => Promise.resolve(null),
    async run(ctx) {
      await ctx.runner.run(sh`systemctl reload ${unit}`);
      const { read } = await look(ctx);
      await ctx.runner.write({ path: note, content: read, mode: 0o600, owner: 'root:root' });
    },
    rollback: (ctx, before) => restoreLoadedConfig(ctx, unit, before),
  });
}

/** Forgets which configuration the process has read. */
export const restoreLoadedConfig: Restore = async ({ runner }, unit) => {
  const note = noteOf(unit);
  await runner.run(
    sh`rm -f -- ${note} && { rmdir -- ${dirname(note)} ${dirname(dirname(note))} 2>/dev/null || true; }`,
  );
};

/** Removed by a reboot, after which every process is new. */
const noteOf = (unit: string) => `/run/kubexm/loaded/${unit}`;
