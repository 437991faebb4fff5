import { describe, expect, it } from 'vitest';
import type { CheckFinding } from '../../../../src/step/preflight/check.ts';
import { formatFindings, summarizeFindings } from '../../../../src/step/preflight/format-findings.ts';

const port: CheckFinding = {
  check: 'PF8',
  host: 'node1',
  severity: 'error',
  found: 'port 6443/tcp is in use by haproxy (pid 812, haproxy.service)',
  wanted: 'free for kube-apiserver',
  fix: 'systemctl disable --now haproxy.service',
};
const long: CheckFinding = {
  ...port,
  check: 'PF7',
  severity: 'warning',
  found: Array.from({ length: 20 }, (_, index) => `/var/lib/thing-${index} (root, since 2024-05-0${index % 9})`).join(
    ', ',
  ),
  fix: `rm -rf ${Array.from({ length: 20 }, (_, index) => `/var/lib/thing-${index}`).join(' ')}`,
};

describe('findings', () => {
  it('are formatted as blocks, grouping hosts with equal findings', () => {
    expect(formatFindings([port, { ...port, host: 'node2' }], 80)).toBe(`error    PF8   node1, node2
         found   port 6443/tcp is in use by haproxy (pid 812, haproxy.service)
         wanted  free for kube-apiserver
         fix     systemctl disable --now haproxy.service`);
  });
  it.each([80, 120])('wrap at %i columns, except for the fix', (columns) => {
    const lines = formatFindings([long], columns).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([expect.stringContaining(`fix     ${long.fix}`)]);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(long.found);
  });
  it('of many hosts list only the first ones', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ ...port, host: `node${index}` }));
    expect(formatFindings(many, 120)).toContain('node6 and 33 more');
  });
  it('are counted', () => {
    expect(summarizeFindings([port, long, long])).toBe('1 error, 2 warnings');
    expect(summarizeFindings([])).toBe('no findings');
  });
});
