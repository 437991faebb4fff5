import { flagOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

export interface StoppedServiceOptions {
  readonly unit: string;
}

/** Ensures that the unit is stopped and disabled, or does not exist. */
export function stoppedService({ unit }: StoppedServiceOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `stopped-service:${unit}`,
    summary: `stop and disable ${unit}`,
    formerly: [`stop and disable ${unit}`],
    async precheck({ runner }) {
      const { enabled, exists, status } = await runner.services.state(unit);
      return findingOf([...(exists && isUp(status) ? [status] : []), ...(exists && enabled ? ['enabled'] : [])]);
    },
    async remember({ runner }) {
      const { enabled, status } = await runner.services.state(unit);
      return { enabled, up: isUp(status) };
    },
    async run({ runner: { services } }) {
      const { enabled, exists, status } = await services.state(unit);
      if (exists && enabled) await services.disable(unit);
      if (exists && isUp(status)) await services.stop(unit);
    },
    rollback: (ctx, before) => restoreStoppedService(ctx, unit, before),
  });
}

/** Enables and starts the service, as it was before. */
export const restoreStoppedService: Restore = async ({ runner: { services } }, unit, before) => {
  const { enabled, status } = await services.state(unit);
  if (flagOf(before, 'enabled') && !enabled) await services.enable(unit);
  if (flagOf(before, 'up') && !isUp(status)) await services.start(unit);
};

const isUp = (status: string) => !/^(inactive|failed)/.test(status);
