import { describe, expect, it } from 'vitest';
import type { CheckFinding } from '../../../../src/step/preflight/check.ts';
import { formatFindings, summaryOf } from '../../../../src/step/preflight/format-findings.ts';

const port: CheckFinding = {
  check: 'PF8',
  host: 'node1',
  severity: 'error',
  found: 'port 6443/tcp is held by haproxy (pid 812, haproxy.service)',
  wanted: 'free for kube-apiserver',
  fix: 'systemctl disable --now haproxy.service',
};
const long: CheckFinding = {
  ...port,
  check: 'PF7',
  severity: 'warning',
  found: Array.from({ length: 20 }, (_, place) => `/var/lib/thing-${place} (root, since 2024-05-0${place % 9})`).join(
    ', ',
  ),
  fix: `rm -rf ${Array.from({ length: 20 }, (_, place) => `/var/lib/thing-${place}`).join(' ')}`,
};

describe('findings', () => {
  it('stand in blocks, hosts with the same together', () => {
    expect(formatFindings([port, { ...port, host: 'node2' }], 80)).toBe(`error    PF8   node1, node2
         found   port 6443/tcp is held by haproxy (pid 812, haproxy.service)
         wanted  free for kube-apiserver
         fix     systemctl disable --now haproxy.service`);
  });
  it.each([80, 120])('fit %i columns, but for what is pasted', (columns) => {
    const lines = formatFindings([long], columns).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([expect.stringContaining(`fix     ${long.fix}`)]);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(long.found);
  });
  it('of many hosts name some', () => {
    const many = Array.from({ length: 40 }, (_, place) => ({ ...port, host: `node${place}` }));
    expect(formatFindings(many, 120)).toContain('node6 and 33 more');
  });
  it('are counted', () => {
    expect(summaryOf([port, long, long])).toBe('1 error, 2 warnings');
    expect(summaryOf([])).toBe('nothing to say');
  });
});
