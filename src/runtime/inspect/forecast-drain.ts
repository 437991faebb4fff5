import { fail } from '../../common/errors/errors.ts';
import { forecastDrain, type DrainForecast } from '../../step/drain/forecast.ts';
import type { DrainOptions } from '../../step/drain/options.ts';
import { readSnapshot } from '../../step/drain/snapshot.ts';
import type { Session } from '../session/session.ts';

export type { DrainForecast };

/** What a simulated drain assumes. */
export interface ForecastSettings extends Pick<DrainOptions, 'force' | 'deleteEmptyDirData'> {
  readonly signal: AbortSignal;
}

/** Simulates draining nodes with what runs in the cluster now. Changes nothing. */
export async function forecastNodes(
  { api }: Pick<Session, 'api'>,
  nodes: readonly string[],
  { signal, ...options }: ForecastSettings,
): Promise<DrainForecast> {
  const snapshot = await readSnapshot(api, signal);
  const missing = nodes.find((name) => !snapshot.nodes.some(({ metadata }) => metadata.name === name));
  if (missing !== undefined) throw fail('NODE_NOT_FOUND', { node: missing });
  return forecastDrain(snapshot, nodes, options);
}
