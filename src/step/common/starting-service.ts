import { findingOf } from '../contract/finding.ts';
import type { ServiceState } from '../../runner/service-manager.ts';
import type { GenericStep } from '../contract/part.ts';
import { runningService } from './running-service.ts';

/** A service that only becomes ready together with its peers, such as an etcd member. */
export interface StartingServiceOptions {
  readonly unit: string;
}

/**
 * Ensures that the unit is enabled and running or starting. Other parts check that it becomes ready and uses its
 * current files.
 */
export function startingService({ unit }: StartingServiceOptions): GenericStep {
  return Object.freeze<GenericStep>({
    ...runningService({ unit, startOnUndo: false }),
    summary: `enable and start ${unit} without waiting`,
    formerly: [`enable and begin to start ${unit}`],
    async precheck({ runner }) {
      const state = await runner.services.state(unit);
      if (!state.exists) return findingOf(['unit does not exist']);
      return findingOf([
        ...(state.masked ? ['masked'] : []),
        ...(state.enabled || state.fixed ? [] : ['not enabled']),
        ...(isStarting(state) ? [] : [state.status]),
      ]);
    },
    async run({ runner: { services } }) {
      const state = await services.state(unit);
      if (state.masked) await services.unmask(unit);
      const starting = isStarting(state);
      if (!starting) await services.reload();
      if (!state.enabled && !state.fixed) await services.enable(unit);
      if (!starting) await services.startWithoutWaiting(unit);
    },
  });
}

const isStarting = ({ active, status }: ServiceState) => active || status.startsWith('activating (start');
