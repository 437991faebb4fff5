import { isNode } from '../../../common/host.ts';
import { compareVersions, minorOf } from '../../../config/model/version.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import type { Facts } from '../../../runner/facts.ts';
import { forwardingSettings } from '../../host-requirements/kernel-settings.ts';
import { nodeModules } from '../../host-requirements/kernel-modules.ts';
import { proxyModeOf } from '../../kubernetes-object/proxy-mode.ts';
import { defineCheck, type HostReport } from '../check.ts';
import { install } from '../fixes.ts';
import { modulesFor } from '../modules.ts';

export const kernel = defineCheck({
  id: 'PF4',
  title: 'Kernel, its modules and settings',
  about:
    'The kernel suits the Kubernetes release and has the modules it needs: loaded, built in, or ready to be loaded. Where system.modules or system.sysctl is keep, modules are loaded and packets forwarded already.',
  severities: ['error', 'warning'],
  each: (report, { cluster }) =>
    isNode(report.host)
      ? [
          ...release(report.facts, cluster),
          ...nftables(report.facts, cluster),
          ...modules(report, cluster),
          ...(cluster.system.modules === 'keep' ? notLoaded(report, cluster) : []),
          ...(cluster.system.sysctl === 'keep' ? forwarding(report, cluster) : []),
        ]
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

/** What kube-proxy and the container runtime may still load by themselves. */
function notLoaded({ facts, probe }: HostReport, cluster: Cluster) {
  const names = nodeModules(cluster, facts)
    .map(({ name }) => name)
    .filter((name) => probe.modules[name] === 'loadable');
  return names.length === 0
    ? []
    : [
        {
          severity: 'warning' as const,
          found: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not loaded`,
          wanted: 'loaded, also after a boot: the file keeps modules as they are',
          fix: `printf '%s\\n' ${names.join(' ')} > /etc/modules-load.d/kubernetes.conf && modprobe -a ${names.join(' ')}`,
        },
      ];
}

function forwarding({ probe }: HostReport, cluster: Cluster) {
  const wrong = Object.entries(forwardingSettings(cluster)).filter(
    ([key, value]) => probe.settings[key] !== undefined && probe.settings[key] !== String(value),
  );
  const lines = (between: string) => wrong.map(([key, value]) => `${key}${between}${value}`);
  return wrong.length === 0
    ? []
    : [
        {
          severity: 'error' as const,
          found: wrong.map(([key]) => `${key} is ${probe.settings[key]}`).join(', '),
          wanted: `${lines(' = ').join(', ')}: the file keeps settings of the kernel as they are`,
          fix: `printf '%s\\n' ${lines('=').join(' ')} > /etc/sysctl.d/99-zz-kubernetes.conf && sysctl --system`,
        },
      ];
}
