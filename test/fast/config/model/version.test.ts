import { describe, expect, it } from 'vitest';
import { compareKernels, compareVersions, minorOf, toVersion } from '../../../../src/config/model/version.ts';
import { etcdAdvice } from '../../../../src/config/model/compatibility.ts';

describe('versions', () => {
  it('sort pre-releases before their release and after the previous one', () => {
    const sorted = ['1.36.4', '1.37.0-alpha.2', '1.37.0-alpha.10', '1.37.0-rc.1', '1.37.0', '1.37.1'];
    expect(sorted.toReversed().toSorted(compareVersions)).toEqual(sorted);
  });

  it('equal each other with and without v, and with missing numbers', () => {
    expect(compareVersions('v1.37.0', '1.37.0')).toBe(0);
    expect(compareVersions('3.28', '3.28.0')).toBe(0);
    expect(compareVersions('3.9', '3.28')).toBeLessThan(0);
  });

  it('have numbers, also in pre-releases', () => {
    expect(toVersion('v1.37.0-rc.1')).toEqual({ major: 1, minor: 37, patch: 0 });
    expect(minorOf('3.28')).toBe(28);
    expect(toVersion('unknown')).toEqual({ major: 0, minor: 0, patch: 0 });
  });

  it('treat the suffix of a kernel as a build, not as a pre-release', () => {
    expect(compareKernels('5.13.0-28-amd64', '5.13.0')).toBe(0);
    expect(compareKernels('4.19.90-2112.8.0.0131.oe1.x86_64', '5.4.0')).toBeLessThan(0);
  });

  it('apply the requirements of a release from its first patch on, not to its pre-releases', () => {
    expect(etcdAdvice('1.34.0', '3.5.20')).toBe('is older than 3.5.21, the minimum for Kubernetes 1.34.0');
    expect(etcdAdvice('1.34.0-rc.1', '3.5.24')).toBeUndefined();
  });
});
