import type { Facts } from '../../../../src/runner/facts.ts';
import { familyOf, parseOsRelease } from '../../../../src/runner/facts/os-release.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';

/** Operating systems by their os-release, package manager and kernel. */
export const SYSTEMS: Readonly<Record<string, readonly [string, NonNullable<Facts['packageManager']>, string]>> = {
  'debian-12': ['ID=debian\nVERSION_ID="12"', 'apt', '6.1.0-28-amd64'],
  'ubuntu-22.04': ['ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"', 'apt', '5.15.0-130-generic'],
  'ubuntu-24.04': ['ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"', 'apt', '6.8.0-51-generic'],
  'rocky-8': ['ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.10"', 'dnf', '4.18.0-553.el8_10.x86_64'],
  'rocky-9': ['ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"', 'dnf', '5.14.0-503.el9.x86_64'],
  'almalinux-8': ['ID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.10"', 'dnf', '4.18.0-553.el8_10.x86_64'],
  'almalinux-9': ['ID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"', 'dnf', '5.14.0-503.el9.x86_64'],
  'rhel-8': ['ID="rhel"\nID_LIKE="fedora"\nVERSION_ID="8.10"', 'dnf', '4.18.0-553.el8_10.x86_64'],
  'rhel-9': ['ID="rhel"\nID_LIKE="fedora"\nVERSION_ID="9.5"', 'dnf', '5.14.0-503.el9.x86_64'],
  'centos-7': ['ID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="7"', 'yum', '3.10.0-1160.119.1.el7.x86_64'],
  'openeuler-22.03': ['ID="openEuler"\nVERSION_ID="22.03"', 'dnf', '5.10.0-216.0.0.oe2203sp4.x86_64'],
  'kylin-v10': ['ID="kylin"\nVERSION_ID="V10"', 'dnf', '4.19.90-52.22.v2207.ky10.x86_64'],
};

/** The facts of a host with this operating system. */
export function factsOf(system: string, hostname: string): Facts {
  const [release, packageManager, kernel] = SYSTEMS[system]!;
  const os = parseOsRelease(release);
  // The port forwarding of an SSH session, which must not be opened.
  const tunnel = { protocol: 'tcp', address: '127.0.0.1', port: 6010, process: 'sshd' } as const;
  const socket = { protocol: 'tcp', address: '*', port: 22, process: 'systemd' } as const;
  const listening = system === 'ubuntu-24.04' ? [tunnel, socket] : [tunnel];
  return { ...fakeFacts(hostname), os, family: familyOf(os, packageManager), packageManager, kernel, listening };
}
