import { sh, type Command } from '../command.ts';
import type { ServiceState } from '../service-manager.ts';

const PROPERTIES = [
  'LoadState',
  'UnitFileState',
  'ActiveState',
  'SubState',
  'NRestarts',
  'NeedDaemonReload',
  'FragmentPath',
  'ExecMainStartTimestamp',
  'ExecMainStartTimestampMonotonic',
  'ActiveEnterTimestampMonotonic',
];

/** Asks for all that is known of a unit. Versions of systemd before 248 cannot give the microseconds. */
export const showCommand = (unit: string): Command => {
  const { text } = sh`echo Now=$(date +%s.%N); read -r up rest </proc/uptime; echo Uptime=$up
ask() { systemctl show "$@" ${{ text: PROPERTIES.map((name) => `-p ${name}`).join(' '), display: '' }} ${unit}; }
ask --timestamp=us+utc 2>/dev/null || ask`;
  return { text, display: `systemctl show ${unit}` };
};

/** Reads what `SHOW` printed. */
export function parseUnit(text: string): ServiceState {
  const of = new Map(
    text.split('\n').map((line): [string, string] => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]),
  );
  const get = (name: string) => of.get(name) ?? '';
  const status = `${get('ActiveState')} (${get('SubState')})`;
  const masked = get('LoadState') === 'masked';
  const since = startOf(get);
  return {
    exists: get('LoadState') !== 'not-found',
    enabled: ENABLED.has(get('UnitFileState')),
    fixed: FIXED.has(get('UnitFileState')),
    active: UP.has(get('ActiveState')) && !flaps(get, since),
    status: flaps(get, since) ? `${status}, started again ${get('NRestarts')} times` : status,
    masked,
    needsReload: get('NeedDaemonReload') === 'yes',
    file: get('FragmentPath') || undefined,
    ...(since !== undefined && { since }),
  };
}

const UP: ReadonlySet<string> = new Set(['active', 'reloading']);

const ENABLED: ReadonlySet<string> = new Set(['enabled', 'enabled-runtime', 'alias']);

// "static" and "indirect" have no [Install]; "generated" comes from elsewhere, such as fstab.
const FIXED: ReadonlySet<string> = new Set(['static', 'indirect', 'generated', 'transient']);

type Get = (name: string) => string;

const STABLE_MS = 5000;

/** Crashed and was started again a moment ago: soon it may be down again. */
const flaps = (get: Get, since: number | undefined) =>
  Number(get('NRestarts')) > 0 && since !== undefined && Number(get('Now')) * 1000 - since < STABLE_MS;

/**
 * When the process started. The wall clock may have been set since, so where the two ways to know it differ the
 * earlier one counts: at worst a service is restarted that need not have been.
 */
function startOf(get: Get): number | undefined {
  const monotonic = Number(get('ExecMainStartTimestampMonotonic')) || Number(get('ActiveEnterTimestampMonotonic'));
  if (!monotonic) return undefined;
  const counted = Math.round((Number(get('Now')) - Number(get('Uptime'))) * 1000 + monotonic / 1000);
  const [, day, time] = /^\w+ (\S+) (\d+:\d+:\d+\.\d{3})\d* UTC$/.exec(get('ExecMainStartTimestamp')) ?? [];
  if (day === undefined || time === undefined) return counted;
  const written = Date.parse(`${day}T${time}Z`);
  return Math.abs(written - counted) < 1000 ? written : Math.min(written, counted);
}
