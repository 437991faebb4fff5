import { findingOf } from '../contract/finding.ts';
import type { ServiceState } from '../../runner/service-manager.ts';
import type { GenericStep } from '../contract/part.ts';
import { runningService } from './running-service.ts';

/** A service that is ready only when others of its kind are. */
export interface BegunServiceOptions {
  readonly unit: string;
}

/** The unit is enabled, and runs or is about to; whether it gets there, and has read its files, is seen elsewhere. */
export function begunService({ unit }: BegunServiceOptions): GenericStep {
  return Object.freeze<GenericStep>({
    ...runningService({ unit, keptElsewhere: true }),
    summary: `enable and begin to start ${unit}`,
    formerly: [`enable and begin to start ${unit}`],
    async precheck({ runner }) {
      const state = await runner.services.state(unit);
      if (!state.exists) return findingOf(['there is no such unit']);
      return findingOf([
        ...(state.masked ? ['it is masked'] : []),
        ...(state.enabled || state.fixed ? [] : ['it is not enabled']),
        ...(isComing(state) ? [] : [`it is ${state.status}`]),
      ]);
    },
    async run({ runner: { services } }) {
      const state = await services.state(unit);
      if (state.masked) await services.unmask(unit);
      const coming = isComing(state);
      if (!coming) await services.reload();
      if (!state.enabled && !state.fixed) await services.enable(unit);
      if (!coming) await services.startWithoutWaiting(unit);
    },
  });
}

const isComing = ({ active, status }: ServiceState) => active || status.startsWith('activating (start');
