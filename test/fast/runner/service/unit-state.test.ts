import { expect, it } from 'vitest';
import { parseUnit } from '../../../../src/runner/service/unit-state.ts';

const text = (changes: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    Now: '1794887040.500000000',
    Uptime: '4759.09',
    LoadState: 'loaded',
    UnitFileState: 'enabled',
    ActiveState: 'active',
    SubState: 'running',
    NRestarts: '0',
    NeedDaemonReload: 'no',
    FragmentPath: '/etc/systemd/system/etcd.service',
    ExecMainStartTimestamp: 'Tue 2026-11-17 03:43:56.586763 UTC',
    ExecMainStartTimestampMonotonic: '4755180188',
    ActiveEnterTimestampMonotonic: '4755200000',
    ...changes,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

it('parses the start time of the process with milliseconds', () => {
  expect(parseUnit(text()).since).toBe(Date.parse('2026-11-17T03:43:56.586Z'));
});

it('uses the monotonic clock if systemd prints no microseconds', () => {
  const since = parseUnit(text({ ExecMainStartTimestamp: 'Tue 2026-11-17 03:43:56 UTC' })).since ?? 0;
  expect(Math.abs(since - Date.parse('2026-11-17T03:43:56.590Z'))).toBeLessThan(20);
});

it('uses the earlier time if the wall clock was changed', () => {
  const hourAgo = 'Tue 2026-11-17 02:43:56.586763 UTC';
  const hourAhead = 'Tue 2026-11-17 04:43:56.586763 UTC';
  expect(parseUnit(text({ ExecMainStartTimestamp: hourAgo })).since).toBe(Date.parse('2026-11-17T02:43:56.586Z'));
  expect(parseUnit(text({ ExecMainStartTimestamp: hourAhead })).since).toBeLessThan(Date.parse('2026-11-17T03:43:57Z'));
});

it('does not report a service as active if systemd has just restarted it', () => {
  expect(parseUnit(text({ NRestarts: '3' }))).toMatchObject({
    active: false,
    status: 'active (running), restarted 3 times',
  });
  expect(parseUnit(text({ NRestarts: '3', Now: '1794887100.0', Uptime: '4818.6' })).active).toBe(true);
  expect(parseUnit(text({ ActiveState: 'activating', SubState: 'auto-restart' })).active).toBe(false);
});

it('recognizes missing, masked and static units', () => {
  const none = { LoadState: 'not-found', UnitFileState: '', ActiveState: 'inactive', SubState: 'dead' };
  expect(parseUnit(text(none))).toMatchObject({ exists: false, enabled: false, active: false });
  expect(parseUnit(text({ LoadState: 'masked', UnitFileState: 'masked' })).masked).toBe(true);
  expect(parseUnit(text({ UnitFileState: 'static' }))).toMatchObject({ enabled: false, fixed: true });
});
