import { compareVersions, minorOf } from '../../../config/version.ts';
import type { Cluster } from '../../../config/cluster.ts';
import type { Facts } from '../../../runner/facts.ts';
import { proxyModeOf } from '../../proxy-mode.ts';
import { defineCheck, isNode, type HostReport } from '../check.ts';
import { install } from '../fixes.ts';
import { modulesFor } from '../modules.ts';

export const kernel = defineCheck({
  id: 'PF4',
  title: 'Kernel and its modules',
  about:
    'The kernel suits the Kubernetes release and has the modules it needs: loaded, built in, or ready to be loaded.',
  severities: ['error', 'warning'],
  each: (report, { cluster }) =>
    isNode(report.host)
      ? [...release(report.facts, cluster), ...nftables(report.facts, cluster), ...modules(report, cluster)]
      : [],
});

function release({ kernel: version, os }: Facts, { kubernetes }: Cluster) {
  const minor = minorOf(kubernetes.version);
  const found = `kernel ${version}`;
  const newer = { found, fix: `Take a newer release of ${os.id} for this host, or an older Kubernetes.` };
  const older = (than: string) => compareVersions(version, than) < 0;
  if (older('3.10.0')) return [{ ...newer, severity: 'error' as const, wanted: 'at least 3.10' }];
  // kubeadm of these releases refuses to work on an older one.
  if (older('4.19.0') && minor >= 32 && minor <= 33 && kubernetes.type === 'kubeadm')
    return [{ ...newer, severity: 'error' as const, wanted: `at least 4.19 with Kubernetes ${kubernetes.version}` }];
  if (minor >= 34 && !isTested(version))
    return [
      {
        ...newer,
        severity: 'warning' as const,
        wanted: `5.4, 5.10, 5.15 or 6.x: what Kubernetes ${kubernetes.version} is tested with`,
      },
    ];
  return [];
}

const isTested = (version: string) => /^5\.(4|10|15)\b/.test(version) || compareVersions(version, '6.0.0') >= 0;

function nftables(facts: Facts, cluster: Cluster) {
  const { kernel: version } = facts;
  if (proxyModeOf(cluster, facts) !== 'nftables' || compareVersions(version, '5.13.0') >= 0) return [];
  return [
    {
      severity: 'error' as const,
      found: `kernel ${version}`,
      wanted: 'at least 5.13 for proxyMode nftables',
      fix: 'In the file: kubernetes.proxyMode: iptables',
    },
  ];
}

function modules({ facts, probe }: HostReport, cluster: Cluster) {
  const missing = modulesFor(cluster, facts).filter(({ name }) => (probe.modules[name] ?? 'missing') === 'missing');
  return missing.length === 0
    ? []
    : [
        {
          severity: 'error' as const,
          found: `the kernel ${facts.kernel} has no ${missing.map(({ name }) => name).join(', ')}`,
          wanted: missing.map((each) => `${each.name} for ${each.for}`).join(', '),
          fix: modulePackages(
            facts,
            missing.map(({ name }) => name),
          ),
        },
      ];
}

/** What of the kernel a distribution keeps apart. */
function modulePackages(facts: Facts, names: readonly string[]): string {
  const load = `modprobe -a ${names.join(' ')}`;
  if (facts.virtualization.type === 'container') return `On the machine that runs this container: ${load}`;
  if (facts.os.id === 'ubuntu') return `${install(facts, ['linux-modules-extra-$(uname -r)'])} && ${load}`;
  if (facts.family === 'debian') return `${install(facts, [`linux-image-${facts.arch}`])} && reboot`;
  return `${install(facts, ['kernel-modules-$(uname -r)', 'kernel-modules-extra-$(uname -r)'])} && ${load}`;
}
