import type { Cluster } from '../../../config/model/cluster.ts';
import type { Facts } from '../../../runner/facts.ts';
import { defineCheck, type FindingDetails, type HostReport } from '../check.ts';

export const nameResolution = defineCheck({
  id: 'PF9',
  title: 'Name resolution',
  about:
    '/etc/resolv.conf lists at least one name server that answers and that Pods can reach. Hosts can resolve the API endpoint and the registry, unless kubexm adds them to /etc/hosts.',
  severities: ['error', 'warning'],
  each: (report, { cluster }) => [...servers(report, cluster), ...names(report, cluster)],
});

function servers({ facts, probe: { resolvers } }: HostReport, cluster: Cluster): readonly FindingDetails[] {
  const fix = addNameServer(facts);
  // create cluster configures the name servers of the cluster file.
  const severity = cluster.extra.resolves.length > 0 ? ('warning' as const) : ('error' as const);
  const wanted = 'at least one name server that answers';
  if (resolvers === undefined) return [{ severity, found: '/etc/resolv.conf does not exist', wanted, fix }];
  if (resolvers.length === 0) return [{ severity, found: '/etc/resolv.conf lists no name server', wanted, fix }];
  if (resolvers.every(({ answers }) => !answers))
    return [
      {
        severity: 'warning',
        found: `no response from ${resolvers.map(({ address }) => address).join(', ')}`,
        wanted,
        fix,
      },
    ];
  return isLoop(facts, resolvers)
    ? [
        {
          severity: 'warning',
          found: 'all name servers are on loopback, and systemd-resolved is not active',
          wanted: 'name servers that Pods can reach: CoreDNS would forward queries to itself',
          fix,
        },
      ]
    : [];
}

function names({ probe }: HostReport, cluster: Cluster): readonly FindingDetails[] {
  return namesToResolve(cluster)
    .filter((name) => !probe.resolvedNames.has(name))
    .map((name) => ({
      severity: 'error',
      found: `${name} does not resolve`,
      wanted: 'an address: kubexm does not add it to /etc/hosts',
      fix: `echo 'ADDRESS ${name}' >> /etc/hosts`,
    }));
}

const isLoop = ({ services }: Facts, resolvers: NonNullable<HostReport['probe']['resolvers']>) =>
  services['systemd-resolved'] !== 'active' &&
  resolvers.every(({ address }) => address.startsWith('127.') || address === '::1');

/** The command that adds a name server permanently, depending on the service that manages /etc/resolv.conf. */
function addNameServer({ services }: Facts): string {
  if (services['systemd-resolved'] === 'active')
    return "mkdir -p /etc/systemd/resolved.conf.d && printf '[Resolve]\\nDNS=ADDRESS\\n' > /etc/systemd/resolved.conf.d/dns.conf && systemctl restart systemd-resolved";
  if (services['NetworkManager'] === 'active')
    return 'nmcli connection modify NAME ipv4.dns ADDRESS && nmcli connection up NAME';
  return "echo 'nameserver ADDRESS' >> /etc/resolv.conf";
}

/** The names that hosts must be able to resolve, because kubexm does not add them to /etc/hosts. */
export function namesToResolve({ endpoint, registry, system }: Cluster): readonly string[] {
  const keepsHostsFile = system.etcHosts === 'keep';
  const managesRegistry = registry.type === 'registry' || registry.type === 'harbor';
  return [
    ...(keepsHostsFile || endpoint.externalDNS ? [endpoint.domain] : []),
    ...(keepsHostsFile && managesRegistry ? [registry.name.replace(/:\d+$/, '')] : []),
  ];
}
