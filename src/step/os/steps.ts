import type { Cluster } from '../../config/model/cluster.ts';
import type { Step } from '../contract/step.ts';
import { etcHosts } from './etc-hosts.ts';
import { firewall } from './firewall.ts';
import { hostname } from './hostname.ts';
import { loadModules } from './kernel-modules.ts';
import { kernelSettings } from './kernel-settings.ts';
import { installPackages } from './packages.ts';
import { resolver } from './resolver.ts';
import { preInstall } from './script.ts';
import { selinux } from './selinux.ts';
import { swap } from './swap.ts';
import { timezone } from './timezone.ts';

/**
 * What makes a host ready, in order. Names come before packages, which are fetched by name; modules before settings,
 * which some of them bring; and the firewall last, when all else is known to work.
 */
export const osSteps = (cluster: Cluster): readonly Step[] => [
  ...(cluster.system.preInstall.length > 0 ? [preInstall(cluster)] : []),
  ...stepsOf(cluster).flatMap(({ step, wanted }) => (wanted ? step : [])),
];

/** All that may have been done to a host, whatever the file says now, the last first. */
export const osStepsToUndo = (cluster: Cluster): readonly Step[] =>
  stepsOf(cluster)
    .map(({ step }) => step)
    .toReversed();

function stepsOf(cluster: Cluster): readonly { readonly step: Step; readonly wanted: boolean }[] {
  const { system, extra } = cluster;
  return [
    { step: hostname, wanted: system.hostname === 'set' },
    { step: etcHosts(cluster), wanted: system.etcHosts === 'write' },
    { step: resolver(cluster), wanted: extra.resolves.length > 0 },
    { step: selinux(cluster), wanted: system.selinux !== 'keep' },
    { step: swap(cluster), wanted: system.swap !== 'keep' },
    { step: installPackages(cluster), wanted: system.packages === 'install' },
    { step: timezone(cluster), wanted: system.timezone !== undefined },
    { step: loadModules(cluster), wanted: system.modules === 'load' },
    { step: kernelSettings(cluster), wanted: system.sysctl === 'set' },
    { step: firewall(cluster), wanted: system.firewall !== 'keep' },
  ];
}
