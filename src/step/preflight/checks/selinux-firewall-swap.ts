import { isNode } from '../../../common/host.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { defineCheck, type HostReport } from '../check.ts';
import { gib, willOpen } from '../fixes.ts';

export const selinuxFirewallSwap = defineCheck({
  id: 'PF10',
  title: 'SELinux, firewall, swap',
  about:
    'Reports enforcing SELinux, active firewalls and swap, and what create cluster does about them. Swap that stays enabled is an error if the kubelet rejects it.',
  severities: ['error', 'warning', 'note'],
  each: (report, { cluster }) => [...selinux(report, cluster), ...firewall(report, cluster), ...swap(report, cluster)],
});

function selinux({ probe }: HostReport, { system }: Cluster) {
  if (probe.selinux !== 'enforcing') return [];
  const will = {
    disable: 'disabled: create cluster disables SELinux',
    permissive: 'permissive: create cluster sets it',
    keep: 'policies for containers are installed: system.selinux is keep',
  };
  return [
    { severity: 'warning' as const, found: 'SELinux is enforcing', wanted: will[system.selinux], fix: 'setenforce 0' },
  ];
}

function firewall({ facts, probe }: HostReport, cluster: Cluster) {
  return probe.firewalls.map((name) => ({
    severity: 'warning' as const,
    found: `${name} is active`,
    wanted: FIREWALL_WILL[willOpen(cluster, facts, name) ? cluster.system.firewall : 'keep'],
    fix: FIREWALL_OFF[name] ?? 'nft list ruleset',
  }));
}

const FIREWALL_WILL: Readonly<Record<Cluster['system']['firewall'], string>> = {
  disable: 'create cluster disables it',
  rules: 'create cluster opens the ports of the roles',
  keep: 'the ports of the roles are open: create cluster does not change its rules',
};

const FIREWALL_OFF: Readonly<Record<string, string>> = {
  firewalld: 'systemctl disable --now firewalld',
  ufw: 'ufw disable',
};

function swap({ host, facts }: HostReport, { system, kubernetes }: Cluster) {
  if (facts.swapBytes === 0 || !isNode(host)) return [];
  const found = `${gib(facts.swapBytes)} of swap`;
  const fix = 'Run swapoff -a and remove the swap entry from /etc/fstab';
  if (system.swap === 'disable')
    return [{ severity: 'warning' as const, found, wanted: 'no swap: create cluster disables it', fix }];
  if (kubernetes.kubeletConfiguration['failSwapOn'] === false)
    return [{ severity: 'note' as const, found, wanted: 'no change: kubeletConfiguration.failSwapOn is false', fix }];
  return [
    {
      severity: 'error' as const,
      found: `${found}, and system.swap is keep`,
      wanted: 'no swap, or kubeletConfiguration.failSwapOn: false',
      fix,
    },
  ];
}
