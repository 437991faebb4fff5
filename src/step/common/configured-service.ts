import { recordedService } from './recorded-service.ts';
import { runningService } from './running-service.ts';
import type { GenericStep } from '../contract/part.ts';

/** A service and the parts that write its files. */
export interface ConfiguredServiceOptions {
  readonly unit: string;
  readonly files: readonly GenericStep[];
  /** Paths the service reads on start. */
  readonly restartIfNewer: readonly string[];
}

/**
 * Ensures that the files are written and that the service runs with them. On undo, all files are restored before the
 * service is restarted; undoing part by part would start it with files that it may have failed with.
 */
export function configuredService({ unit, files, restartIfNewer }: ConfiguredServiceOptions): readonly GenericStep[] {
  const running = runningService({ unit, restartIfNewer, startOnUndo: false });
  const changes = [...files, running];
  return [recordedService({ unit, changes }), ...changes];
}
