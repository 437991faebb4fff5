import { defineCheck, type HostFinding, type CheckInput } from '../check.ts';
import type { Attempt } from './connections.ts';
import { openPort, willOpen } from '../fixes.ts';

export const connectivity = defineCheck({
  id: 'PF12',
  title: 'From host to host',
  about:
    'Hosts reach each other where the cluster will talk: API, etcd, kubelet, network plugin. Real listeners on the real ports, a few pairs for each host.',
  severities: ['error', 'warning', 'note'],
  each: ({ facts, probe, host }, scene) => [
    ...(facts.routes.length > 0 && !facts.routes.some(({ destination }) => destination === 'default')
      ? [
          {
            severity: 'warning' as const,
            found: 'it has no default route',
            wanted: 'one: kubelet and network plugins find their address by it',
            fix: `ip route add default via GATEWAY dev ${facts.interfaces.find(({ name }) => name !== 'lo')?.name ?? 'eth0'}`,
          },
        ]
      : []),
    ...(probe.listener === undefined &&
    probe.ports.length === 0 &&
    scene.cluster.hosts.length > 1 &&
    host.roles.length > 0
      ? [
          {
            severity: 'note' as const,
            found: 'neither perl nor python could listen there, so it was not called',
            wanted: 'one of them, for this check only',
            fix: 'Nothing has to be done.',
          },
        ]
      : []),
  ],
  across: (scene) =>
    [...byTarget(scene.attempts.filter(({ outcome }) => outcome !== 'reached'))].map((attempts) =>
      judgementOf(scene, attempts),
    ),
});

/** One finding for each port that is closed, however many called it. */
function byTarget(attempts: readonly Attempt[]): Iterable<readonly Attempt[]> {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const key = `${attempt.to.name} ${attempt.protocol} ${attempt.port} ${attempt.outcome}`;
    groups.set(key, [...(groups.get(key) ?? []), attempt]);
  }
  return groups.values();
}

function judgementOf({ cluster, reports }: CheckInput, attempts: readonly Attempt[]): HostFinding {
  const [first] = attempts;
  if (!first) throw new TypeError('a group has at least one attempt');
  const { to, protocol, port, purpose, outcome, said } = first;
  const target = reports.find(({ host }) => host.name === to.name);
  const firewalls = target?.probe.firewalls ?? [];
  const opened =
    target !== undefined && firewalls.length > 0 && firewalls.every((name) => willOpen(cluster, target.facts, name));
  const callers = attempts.map(({ from }) => from.name).join(', ');
  const place = `${to.internalAddresses[0]} ${protocol} ${port}`;
  if (outcome === 'another-host')
    return {
      host: to.name,
      severity: 'error',
      found: `${callers} called ${place} and reached another host: ${said}`,
      wanted: `${to.name} alone has ${to.internalAddresses[0]}`,
      fix: `ip neigh show ${to.internalAddresses[0]}`,
    };
  return {
    host: to.name,
    // What create cluster opens itself needs no mending.
    severity: opened ? 'note' : 'error',
    found: `${callers} cannot reach ${place} (${purpose}): ${said}`,
    wanted: opened ? `open; ${firewalls.join(', ')} is taken care of by create cluster` : `open for ${callers}`,
    fix: openPort(firewalls, protocol, port),
  };
}
