import { compareVersions } from '../../../config/version.ts';
import { proxyModeOf } from '../../proxy-mode.ts';
import { commandsFor } from '../commands.ts';
import { defineCheck, isNode } from '../check.ts';
import { installCommands } from '../fixes.ts';

export const programs = defineCheck({
  id: 'PF13',
  title: 'Required programs',
  about: 'Programs that kubexm works with are there; those that prepare-os installs can be installed.',
  severities: ['error', 'note'],
  each: ({ host, facts, probe }, { cluster }) => {
    const missing = commandsFor(cluster, host, facts).filter(({ name }) => !probe.commands.has(name));
    const needed = missing.filter(({ first }) => first);
    const later = missing.filter(({ first }) => !first);
    const names = (list: typeof missing) => list.map(({ name }) => name).join(', ');
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
      ...(later.length > 0
        ? [
            facts.packageManager === undefined
              ? {
                  severity: 'error' as const,
                  found: `there is no ${names(later)}, and neither apt-get, dnf nor yum`,
                  wanted: 'a node needs it',
                  fix: 'Install it by hand.',
                }
              : {
                  severity: 'note' as const,
                  found: `there is no ${names(later)}`,
                  wanted: 'create cluster installs it',
                  fix: installCommands(facts, later),
                },
          ]
        : []),
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
