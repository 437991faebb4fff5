import { defineCheck, type CheckInput, type FindingOnHost } from '../check.ts';
import type { Attempt } from './attempt.ts';
import { openPort, willOpen } from '../fixes.ts';

export const connectivity = defineCheck({
  id: 'PF12',
  title: 'Host-to-host connectivity',
  about:
    'Hosts reach each other on the ports of the API server, etcd, kubelet and network plugin. Temporary listeners answer on the real ports; a few pairs per host are tested.',
  severities: ['error', 'warning', 'note'],
  involvesOthers: true,
  each: ({ facts, probe, host }, { cluster }) => [
    ...(facts.routes.length > 0 && !facts.routes.some(({ destination }) => destination === 'default')
      ? [
          {
            severity: 'warning' as const,
            found: 'no default route',
            wanted: 'a default route: kubelet and network plugins detect the node address with it',
            fix: `ip route add default via GATEWAY dev ${facts.interfaces.find(({ name }) => name !== 'lo')?.name ?? 'eth0'}`,
          },
        ]
      : []),
    ...(probe.listener === undefined && probe.ports.length === 0 && cluster.hosts.length > 1 && host.roles.length > 0
      ? [
          {
            severity: 'note' as const,
            found: 'neither perl nor python is available to listen, so connections to this host were not tested',
            wanted: 'perl or python, for this check only',
            fix: 'No action required.',
          },
        ]
      : []),
  ],
  across: (input) =>
    [...byTarget(input.attempts.filter(({ outcome }) => outcome !== 'reached'))].map((attempts) =>
      findingFor(input, attempts),
    ),
});

/** Groups attempts, so that a closed port causes one finding for all callers. */
function byTarget(attempts: readonly Attempt[]): Iterable<readonly Attempt[]> {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const key = `${attempt.to.name} ${attempt.protocol} ${attempt.port} ${attempt.outcome}`;
    groups.set(key, [...(groups.get(key) ?? []), attempt]);
  }
  return groups.values();
}

function findingFor({ cluster, reports }: CheckInput, attempts: readonly Attempt[]): FindingOnHost {
  const [first] = attempts;
  if (!first) throw new TypeError('a group of attempts must not be empty');
  const { to, protocol, port, purpose, outcome, detail } = first;
  const target = reports.find(({ host }) => host.name === to.name);
  const firewalls = target?.probe.firewalls ?? [];
  const opensLater =
    target !== undefined && firewalls.length > 0 && firewalls.every((name) => willOpen(cluster, target.facts, name));
  const callers = attempts.map(({ from }) => from.name).join(', ');
  const endpoint = `${to.internalAddresses[0]} ${protocol} ${port}`;
  if (outcome === 'another-host')
    return {
      host: to.name,
      severity: 'error',
      found: `${callers} connected to ${endpoint} and reached another host: ${detail}`,
      wanted: `only ${to.name} has the address ${to.internalAddresses[0]}`,
      fix: `ip neigh show ${to.internalAddresses[0]}`,
    };
  return {
    host: to.name,
    // Not an error if create cluster opens the port.
    severity: opensLater ? 'note' : 'error',
    found: `${callers} cannot reach ${endpoint} (${purpose}): ${detail}`,
    wanted: opensLater ? `open: create cluster configures ${firewalls.join(', ')}` : `open for ${callers}`,
    fix: openPort(firewalls, protocol, port),
  };
}
