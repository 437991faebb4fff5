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

it('knows when the process started, to the millisecond', () => {
  expect(parseUnit(text()).since).toBe(Date.parse('2026-11-17T03:43:56.586Z'));
});

it('counts from the boot where systemd is too old to tell the time', () => {
  const since = parseUnit(text({ ExecMainStartTimestamp: 'Tue 2026-11-17 03:43:56 UTC' })).since ?? 0;
  expect(Math.abs(since - Date.parse('2026-11-17T03:43:56.590Z'))).toBeLessThan(20);
});

it('takes the earlier time when the clock was set since', () => {
  const hourAgo = 'Tue 2026-11-17 02:43:56.586763 UTC';
  const hourAhead = 'Tue 2026-11-17 04:43:56.586763 UTC';
  expect(parseUnit(text({ ExecMainStartTimestamp: hourAgo })).since).toBe(Date.parse('2026-11-17T02:43:56.586Z'));
  expect(parseUnit(text({ ExecMainStartTimestamp: hourAhead })).since).toBeLessThan(Date.parse('2026-11-17T03:43:57Z'));
});

it('does not take a service that was just started again by systemd for one that runs', () => {
  expect(parseUnit(text({ NRestarts: '3' }))).toMatchObject({
    active: false,
    status: 'active (running), started again 3 times',
  });
  expect(parseUnit(text({ NRestarts: '3', Now: '1794887100.0', Uptime: '4818.6' })).active).toBe(true);
  expect(parseUnit(text({ ActiveState: 'activating', SubState: 'auto-restart' })).active).toBe(false);
});

it('knows units that are not there, masked, or have nothing to enable', () => {
  const none = { LoadState: 'not-found', UnitFileState: '', ActiveState: 'inactive', SubState: 'dead' };
  expect(parseUnit(text(none))).toMatchObject({ exists: false, enabled: false, active: false });
  expect(parseUnit(text({ LoadState: 'masked', UnitFileState: 'masked' })).masked).toBe(true);
  expect(parseUnit(text({ UnitFileState: 'static' }))).toMatchObject({ enabled: false, fixed: true });
});
