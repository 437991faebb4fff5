import { quoted } from '../load/issues.ts';
import { finding, type Rule } from './rule.ts';

export const systemRules: readonly Rule[] = [
  {
    id: 'time-one-server',
    severity: 'error',
    about: 'At most one of the ntpServers is a host of the cluster: its time server.',
    reads: ['system.ntpServers', 'hosts.*.name'],
    check: ({ system: { ntpServers }, hosts }) => {
      const ours = ntpServers.flatMap((server, index) => (hosts.some(({ name }) => name === server) ? [index] : []));
      return ours
        .slice(1)
        .map((index) =>
          finding(
            ['system', 'ntpServers', index],
            'is a second host of the cluster; one of them can be the time server',
            quoted(ntpServers[index]!),
          ),
        );
    },
  },
  {
    id: 'packages-kept',
    severity: 'warning',
    about: 'rpms and debs are for hosts whose packages are installed by kubexm.',
    reads: ['system.packages', 'system.rpms', 'system.debs'],
    check: ({ system }) =>
      (['rpms', 'debs'] as const).flatMap((list) =>
        system.packages === 'keep' && system[list].length > 0
          ? [finding(['system', list], 'does not count, because spec.system.packages is keep')]
          : [],
      ),
  },
  {
    id: 'etc-hosts-kept',
    severity: 'warning',
    about: 'extra.hosts is for hosts whose /etc/hosts is written by kubexm.',
    reads: ['system.etcHosts', 'extra.hosts'],
    check: ({ system, extra }) =>
      system.etcHosts === 'keep' && extra.hosts.length > 0
        ? [finding(['extra', 'hosts'], 'does not count, because spec.system.etcHosts is keep')]
        : [],
  },
];
