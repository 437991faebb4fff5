import { quoted } from '../diagnostic/quote.ts';
import { finding, type Rule } from './rule.ts';

export const systemRules: readonly Rule[] = [
  {
    id: 'key-encryption',
    severity: 'error',
    about: 'security.keyEncryption requires either a passphrase or an age identity.',
    check: ({ security: { keyEncryption } }) =>
      keyEncryption && (keyEncryption.passphrase === undefined) === (keyEncryption.ageIdentity === undefined)
        ? [finding(['security', 'keyEncryption'], 'must have either passphrase or ageIdentity')]
        : [],
  },
  {
    id: 'time-one-server',
    severity: 'error',
    about:
      'At most one entry in ntpServers can be a host in the cluster; that host becomes the time server for the other hosts.',
    check: ({ system: { ntpServers }, hosts }) => {
      const inCluster = ntpServers.flatMap((server, index) =>
        hosts.some(({ name }) => name === server) ? [index] : [],
      );
      return inCluster
        .slice(1)
        .map((index) =>
          finding(
            ['system', 'ntpServers', index],
            'is the second cluster host in the list; only one can be the time server',
            quoted(ntpServers[index]!),
          ),
        );
    },
  },
  {
    id: 'packages-kept',
    severity: 'warning',
    about: 'rpms and debs are installed only if system.packages is install.',
    check: ({ system }) =>
      (['rpms', 'debs'] as const).flatMap((list) =>
        system.packages === 'keep' && system[list].length > 0
          ? [finding(['system', list], 'is ignored, because spec.system.packages is keep')]
          : [],
      ),
  },
  {
    id: 'etc-hosts-kept',
    severity: 'warning',
    about: 'extra.hosts is written only if system.etcHosts is write.',
    check: ({ system, extra }) =>
      system.etcHosts === 'keep' && extra.hosts.length > 0
        ? [finding(['extra', 'hosts'], 'is ignored, because spec.system.etcHosts is keep')]
        : [],
  },
];
