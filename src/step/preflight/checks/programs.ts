import { isNode } from '../../../common/host.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { compareVersions } from '../../../config/model/version.ts';
import type { Facts } from '../../../runner/facts.ts';
import { proxyModeOf } from '../../kubernetes-object/proxy-mode.ts';
import { commandsFor, type NeededCommand } from '../commands.ts';
import { defineCheck } from '../check.ts';
import { installCommands } from '../fixes.ts';

export const programs = defineCheck({
  id: 'PF13',
  title: 'Required programs',
  about:
    'Programs that kubexm works with are there; those that prepare-os installs can be installed, or are there where system.packages is keep.',
  severities: ['error', 'note'],
  each: ({ host, facts, probe }, { cluster }) => {
    const missing = commandsFor(cluster, host, facts).filter(({ name }) => !probe.commands.has(name));
    const needed = missing.filter(({ first }) => first);
    const later = missing.filter(({ first }) => !first);
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
              found: `there is no ${names(needed)}`,
              wanted: 'kubexm works with it on every host',
              fix: installCommands(facts, needed),
            },
          ]
        : []),
      ...(later.length > 0 ? [missingLater(cluster, facts, later)] : []),
      ...(old
        ? [
            {
              severity: 'error' as const,
              found: `nft is ${probe.nftVersion}`,
              wanted: 'at least 1.0.1 for proxyMode nftables',
              fix: 'In the file: kubernetes.proxyMode: iptables',
            },
          ]
        : []),
    ];
  },
});

const names = (list: readonly NeededCommand[]) => list.map(({ name }) => name).join(', ');

/** What prepare-os would install, if it can and may. */
function missingLater({ system }: Cluster, facts: Facts, missing: readonly NeededCommand[]) {
  const found = `there is no ${names(missing)}`;
  if (facts.packageManager === undefined)
    return {
      severity: 'error' as const,
      found: `${found}, and neither apt-get, dnf nor yum`,
      wanted: 'the host needs it',
      fix: 'Install it by hand.',
    };
  const fix = installCommands(facts, missing);
  return system.packages === 'keep'
    ? { severity: 'error' as const, found, wanted: 'the host needs it, and the file keeps packages as they are', fix }
    : { severity: 'note' as const, found, wanted: 'create cluster installs it', fix };
}
