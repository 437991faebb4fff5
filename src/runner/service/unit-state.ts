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

/** Prints the state of a unit. Versions of systemd before 248 do not support `--timestamp`. */
export const showCommand = (unit: string): Command => {
  const { text } = sh`echo Now=$(date +%s.%N); read -r up rest </proc/uptime; echo Uptime=$up
show() { systemctl show "$@" ${{ text: PROPERTIES.map((name) => `-p ${name}`).join(' '), display: '' }} ${unit}; }
show --timestamp=us+utc 2>/dev/null || show`;
  return { text, display: `systemctl show ${unit}` };
};

/** Parses the output of `showCommand`. */
export function parseUnit(text: string): ServiceState {
  const properties = new Map(
    text.split('\n').map((line): [string, string] => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]),
  );
  const get = (name: string) => properties.get(name) ?? '';
  const status = `${get('ActiveState')} (${get('SubState')})`;
  const masked = get('LoadState') === 'masked';
  const since = startTime(get);
  return {
    exists: get('LoadState') !== 'not-found',
    enabled: ENABLED.has(get('UnitFileState')),
    fixed: FIXED.has(get('UnitFileState')),
    active: ACTIVE.has(get('ActiveState')) && !isFlapping(get, since),
    status: isFlapping(get, since) ? `${status}, restarted ${get('NRestarts')} times` : status,
    masked,
    needsReload: get('NeedDaemonReload') === 'yes',
    file: get('FragmentPath') || undefined,
    ...(since !== undefined && { since }),
  };
}

const ACTIVE: ReadonlySet<string> = new Set(['active', 'reloading']);

const ENABLED: ReadonlySet<string> = new Set(['enabled', 'enabled-runtime', 'alias']);

// Units in state "static" or "indirect" have no [Install] section; "generated" units come from files such as
// /etc/fstab.
const FIXED: ReadonlySet<string> = new Set(['static', 'indirect', 'generated', 'transient']);

type Get = (name: string) => string;

const STABLE_MS = 5000;

/** Returns whether the service was restarted moments ago after a crash and may crash again. */
const isFlapping = (get: Get, since: number | undefined) =>
  Number(get('NRestarts')) > 0 && since !== undefined && Number(get('Now')) * 1000 - since < STABLE_MS;

/**
 * Returns the start time of the process. If the recorded time and the monotonic clock differ, the wall clock was
 * changed. Uses the earlier time, which at worst causes an unnecessary restart.
 */
function startTime(get: Get): number | undefined {
  const monotonic = Number(get('ExecMainStartTimestampMonotonic')) || Number(get('ActiveEnterTimestampMonotonic'));
  if (!monotonic) return undefined;
  const byMonotonic = Math.round((Number(get('Now')) - Number(get('Uptime'))) * 1000 + monotonic / 1000);
  const [, day, time] = /^\w+ (\S+) (\d+:\d+:\d+\.\d{3})\d* UTC$/.exec(get('ExecMainStartTimestamp')) ?? [];
  if (day === undefined || time === undefined) return byMonotonic;
  const recorded = Date.parse(`${day}T${time}Z`);
  return Math.abs(recorded - byMonotonic) < 1000 ? recorded : Math.min(recorded, byMonotonic);
}
