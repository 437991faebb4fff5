import type { Host } from '../../common/host.ts';
import type { Runner } from '../../runner/runner.ts';
import type { StepContext } from './step.ts';

/** Another host, if it was reached. */
export function reachedOf(ctx: Pick<StepContext, 'on'>, host: Host): Runner | undefined {
  try {
    return ctx.on(host);
  } catch {
    return undefined;
  }
}
