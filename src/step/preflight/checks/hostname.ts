import { isHostName } from '../../../config/value/address.ts';
import { defineCheck } from '../check.ts';

export const hostname = defineCheck({
  id: 'PF5',
  title: 'Host name',
  about:
    'The name is one that Kubernetes takes: small letters, digits, dashes and dots, each part up to 63; it resolves to the host, not to loopback.',
  severities: ['error', 'warning', 'note'],
  each: ({ host, facts, probe }, { cluster: { system } }) => {
    const set = `hostnamectl set-hostname ${host.name}`;
    if (!isHostName(facts.hostname))
      return [
        {
          severity: 'error',
          found: `its name is ${JSON.stringify(facts.hostname)}`,
          wanted: 'small letters, digits, dashes and dots',
          fix: set,
        },
      ];
    const [address] = host.internalAddresses;
    const loopback = probe.ownAddresses.filter((each) => each.startsWith('127.') || each === '::1');
    const resolves = `it resolves to ${address}${system.etcHosts === 'keep' ? '' : ': create cluster writes it into /etc/hosts'}`;
    const line = `echo '${address} ${facts.hostname}' >> /etc/hosts`;
    if (probe.ownAddresses.length > 0 && loopback.length === probe.ownAddresses.length)
      return [
        {
          // As Debian and Ubuntu are installed.
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
            found: `its name is ${facts.hostname}`,
            wanted: `${host.name}, as in the file${system.hostname === 'keep' ? ', which keeps the names of hosts' : ': create cluster sets it'}`,
            fix: set,
          },
        ];
  },
});
