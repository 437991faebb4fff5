import type { Cluster } from '../../../config/model/cluster.ts';
import type { Facts } from '../../../runner/facts.ts';
import { defineCheck, type HostReport, type HostFinding } from '../check.ts';
import { namesToResolve } from '../names.ts';

export const resolver = defineCheck({
  id: 'PF9',
  title: 'Name resolution',
  about:
    '/etc/resolv.conf names at least one server, which answers a question; it is none on loopback that pods cannot reach. The API endpoint and the registry are found by name where kubexm does not write them into /etc/hosts.',
  severities: ['error', 'warning'],
  each: (report, { cluster }) => [...servers(report, cluster), ...names(report, cluster)],
});

function servers({ facts, probe: { resolvers } }: HostReport, cluster: Cluster): readonly Omit<HostFinding, 'host'>[] {
  const fix = setServer(facts);
  // The file of the cluster brings servers of its own.
  const severity = cluster.extra.resolves.length > 0 ? ('warning' as const) : ('error' as const);
  const wanted = 'at least one nameserver that answers';
  if (resolvers === undefined) return [{ severity, found: 'there is no /etc/resolv.conf', wanted, fix }];
  if (resolvers.length === 0) return [{ severity, found: '/etc/resolv.conf names no nameserver', wanted, fix }];
  if (resolvers.every(({ answers }) => !answers))
    return [
      {
        severity: 'warning',
        found: `no answer from ${resolvers.map(({ address }) => address).join(', ')}`,
        wanted,
        fix,
      },
    ];
  return isLoop(facts, resolvers)
    ? [
        {
          severity: 'warning',
          found: 'all name servers are on loopback, and systemd-resolved is not active',
          wanted: 'servers that pods can reach: CoreDNS would ask itself',
          fix,
        },
      ]
    : [];
}

function names({ probe }: HostReport, cluster: Cluster): readonly Omit<HostFinding, 'host'>[] {
  return namesToResolve(cluster)
    .filter((name) => !probe.foundNames.has(name))
    .map((name) => ({
      severity: 'error',
      found: `${name} does not resolve`,
      wanted: 'an address: the file does not let kubexm write it into /etc/hosts',
      fix: `echo 'ADDRESS ${name}' >> /etc/hosts`,
    }));
}

const isLoop = ({ services }: Facts, resolvers: NonNullable<HostReport['probe']['resolvers']>) =>
  services['systemd-resolved'] !== 'active' &&
  resolvers.every(({ address }) => address.startsWith('127.') || address === '::1');

/** The way that outlives the next boot, by what manages the file. */
function setServer({ services }: Facts): string {
  if (services['systemd-resolved'] === 'active')
    return "mkdir -p /etc/systemd/resolved.conf.d && printf '[Resolve]\\nDNS=ADDRESS\\n' > /etc/systemd/resolved.conf.d/dns.conf && systemctl restart systemd-resolved";
  if (services['NetworkManager'] === 'active')
    return 'nmcli connection modify NAME ipv4.dns ADDRESS && nmcli connection up NAME';
  return "echo 'nameserver ADDRESS' >> /etc/resolv.conf";
}
