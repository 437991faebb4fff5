import { describe, expect, it } from 'vitest';
import { familyOf, parseOsRelease } from '../../../../src/runner/facts/os-release.ts';
import type { Facts } from '../../../../src/runner/facts.ts';
import { evaluate } from '../../../../src/step/preflight/evaluate.ts';
import { inputWith } from './check-input.ts';

const systems: readonly (readonly [string, string, string, Facts['packageManager'], string])[] = [
  ['Debian 12', 'ID=debian\nVERSION_ID="12"', '6.1.0-30-amd64', 'apt', 'apt'],
  ['Ubuntu 22.04', 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"', '5.15.0-130-generic', 'apt', 'ubuntu'],
  ['Ubuntu 24.04', 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"', '6.8.0-50-generic', 'apt', 'ubuntu'],
  ['RHEL 8', 'ID="rhel"\nID_LIKE="fedora"\nVERSION_ID="8.10"', '4.18.0-553.el8_10.x86_64', 'dnf', 'dnf'],
  ['RHEL 9', 'ID="rhel"\nID_LIKE="fedora"\nVERSION_ID="9.4"', '5.14.0-427.el9.x86_64', 'dnf', 'dnf'],
  ['Rocky 8', 'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.10"', '4.18.0-553.el8_10.x86_64', 'dnf', 'dnf'],
  ['Rocky 9', 'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.3"', '5.14.0-362.el9.x86_64', 'dnf', 'dnf'],
  ['Alma 8', 'ID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.9"', '4.18.0-513.el8.x86_64', 'dnf', 'dnf'],
  ['Alma 9', 'ID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"', '5.14.0-503.el9.x86_64', 'dnf', 'dnf'],
  ['CentOS 7', 'ID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="7"', '3.10.0-1160.el7.x86_64', 'yum', 'yum'],
  ['openEuler 22.03', 'ID="openEuler"\nVERSION_ID="22.03"', '5.10.0-182.0.0.95.oe2203sp3.x86_64', 'dnf', 'dnf'],
  ['Kylin V10', 'ID="kylin"\nVERSION_ID="V10"', '4.19.90-52.22.v2207.ky10.x86_64', 'dnf', 'dnf'],
];

const factsOf = (release: string, kernel: string, packageManager: Facts['packageManager']): Partial<Facts> => {
  const os = parseOsRelease(release);
  return { os, kernel, packageManager, family: familyOf(os, packageManager) };
};

describe.each(systems)('%s', (name, release, kernel, manager, kind) => {
  const facts = factsOf(release, kernel, manager);
  const file = ['kubernetes.version=v1.31.9'];

  it('passes all checks for Kubernetes 1.31', () => {
    expect(evaluate(inputWith({ file, facts: { node1: facts, node2: facts, node3: facts } }))).toEqual([]);
  });

  it('gets fixes with its own package manager', () => {
    const findings = evaluate(
      inputWith({
        file: ['kubernetes.version=v1.35.4', 'kubernetes.proxyMode=ipvs'],
        facts: { node2: { ...facts, services: {}, cgroup: 'v1' } },
        probe: { node2: { modules: {}, commands: new Set() } },
      }),
    );
    const fix = (check: string) => findings.find((each) => each.check === check && each.severity === 'error')?.fix;
    expect(fix('PF4')).toBe(FIXES[kind]!.module);
    expect(fix('PF6')).toBe(FIXES[kind]!.time);
    expect(fix('PF13')).toBe(FIXES[kind]!.programs);
    expect(fix('PF18')).toBe(FIXES[kind]!.cgroup);
    const later = findings.find(({ check, severity }) => check === 'PF13' && severity === 'note')?.fix;
    expect(later?.split(' -y ')[1]).toBe(PACKAGES[name]);
  });
});

const MODULES = 'overlay br_netfilter nf_conntrack ip_vs ip_vs_rr ip_vs_wrr ip_vs_sh vxlan';
const GRUB =
  'mkdir -p /etc/default/grub.d && echo \'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX systemd.unified_cgroup_hierarchy=1"\' > /etc/default/grub.d/90-kubernetes.cfg && update-grub && reboot';
const apt = {
  module: 'apt-get update && apt-get install -y linux-image-amd64 && reboot',
  time: 'apt-get update && apt-get install -y chrony && systemctl enable --now chrony',
  programs:
    'apt-get update && apt-get install -y systemd bash iproute2 tar gzip coreutils findutils mawk mount kmod procps',
  cgroup: GRUB,
};
const rpm = (manager: string, modules = MODULES) => ({
  module: `${manager} install -y kernel-modules-$(uname -r) kernel-modules-extra-$(uname -r) && modprobe -a ${modules}`,
  time: `${manager} install -y chrony && systemctl enable --now chronyd`,
  programs: `${manager} install -y systemd bash iproute tar gzip coreutils findutils gawk util-linux kmod procps-ng`,
  cgroup: "grubby --update-kernel=ALL --args='systemd.unified_cgroup_hierarchy=1' && reboot",
});
const FIXES: Readonly<Record<string, ReturnType<typeof rpm>>> = {
  apt,
  ubuntu: {
    ...apt,
    module: `apt-get update && apt-get install -y linux-modules-extra-$(uname -r) && modprobe -a ${MODULES}`,
  },
  dnf: rpm('dnf'),
  yum: rpm('yum', MODULES.replace('nf_conntrack', 'nf_conntrack nf_conntrack_ipv4')),
};

const RHEL_8 = 'conntrack-tools iptables iptables-ebtables iproute-tc socat ipset ethtool';
const RHEL_9 = 'conntrack-tools iptables-nft iproute-tc socat ipset ethtool';
const DEBIAN = 'conntrack iptables ebtables iproute2 socat ipset ethtool';
const OLDER = 'conntrack-tools iptables ebtables iproute socat ipset ethtool';
const PACKAGES: Readonly<Record<string, string>> = {
  'Debian 12': DEBIAN,
  'Ubuntu 22.04': DEBIAN,
  'Ubuntu 24.04': DEBIAN,
  'RHEL 8': RHEL_8,
  'RHEL 9': RHEL_9,
  'Rocky 8': RHEL_8,
  'Rocky 9': RHEL_9,
  'Alma 8': RHEL_8,
  'Alma 9': RHEL_9,
  'CentOS 7': OLDER,
  'openEuler 22.03': OLDER,
  'Kylin V10': OLDER,
};
