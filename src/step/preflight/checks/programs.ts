import { isNode } from '../../../common/host.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { compareVersions } from '../../../config/model/version.ts';
import type { Facts } from '../../../runner/facts.ts';
import { proxyModeOf } from '../../kubernetes-object/proxy-mode.ts';
import { commandsFor, type NeededCommand } from '../commands.ts';
import { defineCheck } from '../check.ts';
import { install } from '../fixes.ts';

export const programs = defineCheck({
  id: 'PF13',
  title: 'Required programs',
  about:
    'The programs that kubexm requires are installed or can be installed by prepare-os. If system.packages is keep, all of them must already be installed.',
  severities: ['error', 'note'],
  each: ({ host, facts, probe }, { cluster }) => {
    const missing = commandsFor(cluster, host, facts).filter(({ name }) => !probe.commands.has(name));
    const needed = missing.filter(({ prerequisite }) => prerequisite);
    const later = missing.filter(({ prerequisite }) => !prerequisite);
    const old =
      isNode(host) &&
      proxyModeOf(cluster, facts) === 'nftables' &&
      probe.nftVersion !== undefined &&
      compareVersions(probe.nftVersion, '1.0.1') < 0;
    return [
      ...(needed.length > 0
        ? [
            {
              severity: 'error' as const,
              found: `${names(needed)} not found`,
              wanted: 'installed: kubexm needs it on every host',
              fix: installCommands(facts, needed),
            },
          ]
        : []),
      ...(later.length > 0 ? [missingLater(cluster, facts, later)] : []),
      ...(old
        ? [
            {
              severity: 'error' as const,
              found: `nft version is ${probe.nftVersion}`,
              wanted: 'at least 1.0.1 for proxyMode nftables',
              fix: 'Set kubernetes.proxyMode: iptables in the cluster file',
            },
          ]
        : []),
    ];
  },
});

/** The command that installs the packages of these programs. */
const installCommands = (facts: Facts, commands: readonly NeededCommand[]): string =>
  install(facts, [...new Set(commands.map((each) => each.package))]);

const names = (list: readonly NeededCommand[]) => list.map(({ name }) => name).join(', ');

/** Reports missing programs that prepare-os installs; an error if it cannot or must not install them. */
function missingLater({ system }: Cluster, facts: Facts, missing: readonly NeededCommand[]) {
  const found = `${names(missing)} not found`;
  if (facts.packageManager === undefined)
    return {
      severity: 'error' as const,
      found: `${found}, and no package manager: apt-get, dnf or yum`,
      wanted: 'installed',
      fix: `Install manually: ${names(missing)}`,
    };
  const fix = installCommands(facts, missing);
  return system.packages === 'keep'
    ? {
        severity: 'error' as const,
        found,
        wanted: 'installed: kubexm does not install packages because system.packages is keep',
        fix,
      }
    : { severity: 'note' as const, found, wanted: 'installed: create cluster installs it', fix };
}
