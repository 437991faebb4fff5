import { isNode } from '../../../common/host.ts';
import { compareKernels, minorOf } from '../../../config/model/version.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { networkModules } from '../../../config/model/network-plugins.ts';
import type { Facts } from '../../../runner/facts.ts';
import { forwardingSettings } from '../../host-requirements/kernel-settings.ts';
import { nodeModules, type NeededModule } from '../../host-requirements/kernel-modules.ts';
import { proxyModeOf } from '../../kubernetes-object/proxy-mode.ts';
import { defineCheck, type HostReport } from '../check.ts';
import { install } from '../fixes.ts';

export const kernel = defineCheck({
  id: 'PF4',
  title: 'Kernel version, modules and settings',
  about:
    'The kernel supports the Kubernetes release and has the required modules: loaded, built in, or loadable. If system.modules or system.sysctl is keep, the modules are already loaded and IP forwarding is already enabled.',
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
  const newer = { found, fix: `Use a newer release of ${os.id} on this host, or an older Kubernetes version.` };
  const older = (than: string) => compareKernels(version, than) < 0;
  if (older('3.10.0')) return [{ ...newer, severity: 'error' as const, wanted: 'at least 3.10' }];
  // kubeadm 1.32 and 1.33 reject older kernels.
  if (older('4.19.0') && minor >= 32 && minor <= 33 && kubernetes.type === 'kubeadm')
    return [{ ...newer, severity: 'error' as const, wanted: `at least 4.19 with Kubernetes ${kubernetes.version}` }];
  if (minor >= 34 && !isTested(version))
    return [
      {
        ...newer,
        severity: 'warning' as const,
        wanted: `5.4, 5.10, 5.15 or 6.x: the kernels that Kubernetes ${kubernetes.version} is tested with`,
      },
    ];
  return [];
}

const isTested = (version: string) => /^5\.(4|10|15)\b/.test(version) || compareKernels(version, '6.0.0') >= 0;

function nftables(facts: Facts, cluster: Cluster) {
  const { kernel: version } = facts;
  if (proxyModeOf(cluster, facts) !== 'nftables' || compareKernels(version, '5.13.0') >= 0) return [];
  return [
    {
      severity: 'error' as const,
      found: `kernel ${version}`,
      wanted: 'at least 5.13 for proxyMode nftables',
      fix: 'Set kubernetes.proxyMode: iptables in the cluster file',
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
          found: `kernel ${facts.kernel} lacks the modules ${missing.map(({ name }) => name).join(', ')}`,
          wanted: missing.map((each) => `${each.name} for ${each.for}`).join(', '),
          fix: modulePackages(
            facts,
            missing.map(({ name }) => name),
          ),
        },
      ];
}

/** The command that installs kernel modules which the distribution ships in separate packages. */
function modulePackages(facts: Facts, names: readonly string[]): string {
  const load = `modprobe -a ${names.join(' ')}`;
  if (facts.virtualization.type === 'container') return `On the machine that runs this container: ${load}`;
  if (facts.os.id === 'ubuntu') return `${install(facts, ['linux-modules-extra-$(uname -r)'])} && ${load}`;
  if (facts.family === 'debian') return `${install(facts, [`linux-image-${facts.arch}`])} && reboot`;
  return `${install(facts, ['kernel-modules-$(uname -r)', 'kernel-modules-extra-$(uname -r)'])} && ${load}`;
}

/** Only a warning: kube-proxy and the container runtime may load these modules themselves. */
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
          wanted: 'loaded now and at boot: kubexm does not load modules because system.modules is keep',
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
          wanted: `${lines(' = ').join(', ')}: kubexm does not change it because system.sysctl is keep`,
          fix: `printf '%s\\n' ${lines('=').join(' ')} > /etc/sysctl.d/99-zz-kubernetes.conf && sysctl --system`,
        },
      ];
}

/** The modules that a node needs: those that create cluster loads, and those of the network plugin. */
export const modulesFor = (cluster: Cluster, facts: Pick<Facts, 'kernel'>): readonly NeededModule[] => [
  ...nodeModules(cluster, facts),
  ...networkModules(cluster.network.plugin).map((name) => ({ name, for: cluster.network.plugin.type })),
];

/** The kernel configuration options of modules whose option is not named like the module. */
export const KERNEL_OPTIONS: Readonly<Record<string, string>> = {
  overlay: 'OVERLAY_FS',
  br_netfilter: 'BRIDGE_NETFILTER',
  ipip: 'NET_IPIP',
};
