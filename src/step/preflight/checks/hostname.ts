import { isHostName } from '../../../config/dns-name.ts';
import { defineCheck } from '../check.ts';

export const hostname = defineCheck({
  id: 'PF5',
  title: 'Host name',
  about:
    'The name is one that Kubernetes takes: small letters, digits, dashes and dots, each part up to 63; it resolves to the host, not to loopback.',
  severities: ['error', 'warning', 'note'],
  each: ({ host, facts, probe }) => {
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
    const line = `echo '${address} ${facts.hostname}' >> /etc/hosts`;
    if (probe.ownAddresses.length > 0 && loopback.length === probe.ownAddresses.length)
      return [
        {
          // As Debian and Ubuntu are installed.
          severity: loopback.every((each) => each === '127.0.1.1') ? 'note' : 'warning',
          found: `${facts.hostname} resolves to ${loopback.join(', ')}`,
          wanted: `it resolves to ${address}: create cluster writes it into /etc/hosts`,
          fix: line,
        },
      ];
    if (probe.ownAddresses.length === 0)
      return [
        {
          severity: 'warning',
          found: `${facts.hostname} does not resolve`,
          wanted: `it resolves to ${address}`,
          fix: line,
        },
      ];
    return facts.hostname === host.name
      ? []
      : [
          {
            severity: 'note',
            found: `its name is ${facts.hostname}`,
            wanted: `${host.name}, as in the file: create cluster sets it`,
            fix: set,
          },
        ];
  },
});
