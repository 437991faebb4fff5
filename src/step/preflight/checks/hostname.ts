import { isHostName } from '../../../config/value/address.ts';
import { defineCheck } from '../check.ts';

export const hostname = defineCheck({
  id: 'PF5',
  title: 'Host name',
  about:
    'The host name is valid in Kubernetes (lowercase letters, digits, hyphens and dots, labels of at most 63 characters), matches the cluster file, and resolves to an address of the host other than loopback.',
  severities: ['error', 'warning', 'note'],
  each: ({ host, facts, probe }, { cluster: { system } }) => {
    const set = `hostnamectl set-hostname ${host.name}`;
    if (!isHostName(facts.hostname))
      return [
        {
          severity: 'error',
          found: `the host name is ${JSON.stringify(facts.hostname)}`,
          wanted: 'lowercase letters, digits, hyphens and dots',
          fix: set,
        },
      ];
    const [address] = host.internalAddresses;
    const loopback = probe.ownAddresses.filter((each) => each.startsWith('127.') || each === '::1');
    const resolves = `${facts.hostname} resolves to ${address}${system.etcHosts === 'keep' ? '' : ': create cluster adds it to /etc/hosts'}`;
    const line = `echo '${address} ${facts.hostname}' >> /etc/hosts`;
    if (probe.ownAddresses.length > 0 && loopback.length === probe.ownAddresses.length)
      return [
        {
          // The default of the Debian and Ubuntu installers.
          severity: system.etcHosts === 'write' && loopback.every((each) => each === '127.0.1.1') ? 'note' : 'warning',
          found: `${facts.hostname} resolves to ${loopback.join(', ')}`,
          wanted: resolves,
          fix: line,
        },
      ];
    if (probe.ownAddresses.length === 0)
      return [
        {
          severity: 'warning',
          found: `${facts.hostname} does not resolve`,
          wanted: resolves,
          fix: line,
        },
      ];
    return facts.hostname === host.name
      ? []
      : [
          {
            severity: system.hostname === 'keep' ? 'warning' : 'note',
            found: `the host name is ${facts.hostname}`,
            wanted: `${host.name}, as in the cluster file${system.hostname === 'keep' ? '; not changed because system.hostname is keep' : ': create cluster sets it'}`,
            fix: set,
          },
        ];
  },
});
