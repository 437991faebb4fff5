import { sh } from '../../runner/command.ts';
import { bringBack, keepAway } from '../../runner/keep.ts';
import type { ServiceState } from '../../runner/service-manager.ts';
import { flagOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { keptAt } from '../contract/keep.ts';
import type { GenericStep } from '../contract/step.ts';

/** A service that should not be. */
export interface AbsentServiceOptions {
  readonly unit: string;
}

/** There is no such unit: it is stopped and its file is gone. One that a package brought is masked instead. */
export function absentService({ unit }: AbsentServiceOptions): GenericStep {
  const paths = [`/etc/systemd/system/${unit}`, `/etc/systemd/system/${unit}.d`];
  const part = (path: string) => `absent service ${path}`;
  return Object.freeze<GenericStep>({
    summary: `remove the service ${unit}`,
    async precheck({ runner }) {
      const state = await runner.services.state(unit);
      return findingOf(isGone(state) ? [] : [`it is ${state.status}${state.file ? `, from ${state.file}` : ''}`]);
    },
    async remember({ runner }) {
      const { enabled, status, masked } = await runner.services.state(unit);
      return { enabled, up: isUp(status), masked };
    },
    async run(ctx) {
      const { services } = ctx.runner;
      const state = await services.state(unit);
      if (isGone(state)) return;
      if (state.enabled) await services.disable(unit);
      if (isUp(state.status)) await services.stop(unit);
      for (const path of paths) await ctx.runner.run(keepAway(path, keptAt(ctx, part(path))));
      await services.reload();
      await ctx.runner.run(sh`systemctl reset-failed ${unit} 2>/dev/null || true`);
      if (!isGone(await services.state(unit))) await services.mask(unit);
    },
    async rollback(ctx, before) {
      const { services } = ctx.runner;
      if ((await services.state(unit)).masked && !flagOf(before, 'masked')) await services.unmask(unit);
      for (const path of paths) await ctx.runner.run(bringBack(path, keptAt(ctx, part(path))));
      await services.reload();
      const state = await services.state(unit);
      if (flagOf(before, 'enabled') && !state.enabled) await services.enable(unit);
      if (flagOf(before, 'up') && !isUp(state.status)) await services.start(unit);
    },
  });
}

const isGone = ({ exists, masked, status }: ServiceState) => (!exists || masked) && !isUp(status);
const isUp = (status: string) => !/^(inactive|failed)/.test(status);
