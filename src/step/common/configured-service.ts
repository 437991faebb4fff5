import { keptService } from './kept-service.ts';
import { runningService } from './running-service.ts';
import type { GenericStep } from '../contract/part.ts';

/** A service and the parts that write what it reads. */
export interface ConfiguredServiceOptions {
  readonly unit: string;
  readonly files: readonly GenericStep[];
  /** What it reads when it starts. */
  readonly restartIfNewer: readonly string[];
}

/**
 * The files are as they should be and the service runs with them. Undone, the files come back first and then the service
 * with them; undoing part by part would start it with the files that it may have failed with.
 */
export function configuredService({ unit, files, restartIfNewer }: ConfiguredServiceOptions): readonly GenericStep[] {
  const running = runningService({ unit, restartIfNewer, keptElsewhere: true });
  const changes = [...files, running];
  return [keptService({ unit, changes }), ...changes];
}
