import { fail } from '../../common/errors/errors.ts';
import type { DrainInput } from '../../pipeline/nodes/drain.ts';
import type { OptionSpec, OptionValues } from '../command.ts';

/** Options for commands that drain nodes. */
export const drainOptions = {
  force: { type: 'flag', summary: 'also evict pods without a controller, which are not recreated' },
  deleteEmptydirData: {
    type: 'flag',
    summary: 'also evict pods with emptyDir volumes; the content of these volumes is lost',
  },
  ignoreDaemonsets: {
    type: 'flag',
    summary: 'accepted for compatibility with kubectl; DaemonSet pods always remain on the node',
  },
  gracePeriod: {
    type: 'number',
    value: 'SECONDS',
    min: 1,
    max: 86_400,
    summary: "time that each pod gets to stop (default: the pod's own setting)",
  },
  timeout: {
    type: 'text',
    value: 'DURATION',
    default: '10m',
    summary: 'maximum time to drain one node, e.g. 90s, 30m or 2h',
  },
} as const satisfies Record<string, OptionSpec>;

export type DrainOptionValues = OptionValues<typeof drainOptions>;

/** Converts the flags to drain settings. */
export const drainSettings = (values: DrainOptionValues): DrainInput['options'] => ({
  timeoutMs: parseDuration(values.timeout),
  gracePeriodSeconds: values.gracePeriod,
  force: values.force,
  deleteEmptyDirData: values.deleteEmptydirData,
  wait: true,
});

function parseDuration(text: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,6})(s|m|h)?$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw fail('USAGE', { message: `Invalid duration: ${text}`, help: 'Use 90s, 30m or 2h, at most 24h.' });
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
const MAX_MS = 86_400_000;
