import { isNode } from '../../../common/host.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { defineCheck, type HostReport } from '../check.ts';
import { gib, willOpen } from '../fixes.ts';

export const protection = defineCheck({
  id: 'PF10',
  title: 'SELinux, firewall, swap',
  about:
    'What may stand in the way, and what create cluster will do about it. Swap that stays is an error where the kubelet refuses it.',
  severities: ['error', 'warning', 'note'],
  each: (report, { cluster }) => [...selinux(report, cluster), ...firewall(report, cluster), ...swap(report, cluster)],
});

function selinux({ probe }: HostReport, { system }: Cluster) {
  if (probe.selinux !== 'enforcing') return [];
  const will = {
    disable: 'create cluster disables it',
    permissive: 'create cluster makes it permissive',
    keep: 'it stays: policies for containers must be there',
  };
  return [
    { severity: 'warning' as const, found: 'SELinux is enforcing', wanted: will[system.selinux], fix: 'setenforce 0' },
  ];
}

function firewall({ facts, probe }: HostReport, cluster: Cluster) {
  return probe.firewalls.map((name) => ({
    severity: 'warning' as const,
    found: `${name} filters packets`,
    wanted: FIREWALL_WILL[willOpen(cluster, facts, name) ? cluster.system.firewall : 'keep'],
    fix: FIREWALL_OFF[name] ?? 'nft list ruleset',
  }));
}

const FIREWALL_WILL: Readonly<Record<Cluster['system']['firewall'], string>> = {
  disable: 'create cluster disables it',
  rules: 'create cluster opens the ports of the roles',
  keep: 'its rules stay: the ports of the roles must be open',
};

const FIREWALL_OFF: Readonly<Record<string, string>> = {
  firewalld: 'systemctl disable --now firewalld',
  ufw: 'ufw disable',
};

function swap({ host, facts }: HostReport, { system, kubernetes }: Cluster) {
  if (facts.swapBytes === 0 || !isNode(host)) return [];
  const found = `${gib(facts.swapBytes)} of swap`;
  const fix = 'swapoff -a; then take its line out of /etc/fstab';
  if (system.swap === 'disable')
    return [{ severity: 'warning' as const, found, wanted: 'none: create cluster switches it off', fix }];
  if (kubernetes.kubeletConfiguration['failSwapOn'] === false)
    return [{ severity: 'note' as const, found, wanted: 'it stays, and the kubelet is told to live with it', fix }];
  return [
    {
      severity: 'error' as const,
      found: `${found}, and the file keeps it`,
      wanted: 'none, or kubeletConfiguration.failSwapOn: false',
      fix,
    },
  ];
}
