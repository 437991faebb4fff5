import { count, commandOn, reachedHosts, type HealthCheck } from '../check.ts';

export const services: HealthCheck = {
  name: 'services',
  condition: 'ServicesRunning',
  evaluate: (input) => {
    const probed = reachedHosts(input).flatMap(({ host, services: states }) => (states ? [{ host, ...states }] : []));
    if (probed.length === 0) return { type: 'unknown', found: 'no node could be reached' };
    const all = probed.flatMap(({ units }) => units).length;
    const down = probed.flatMap(({ host, down: each }) => each.map((one) => ({ host, ...one })));
    return {
      type: 'evaluated',
      found:
        down.length === 0
          ? `${count(all, 'Kubernetes service')} running on ${count(probed.length, 'node')}`
          : `${all - down.length} of ${all} Kubernetes services running`,
      findings: down.map(({ host, unit, state }) => ({
        host: host.name,
        severity: 'failed',
        found: `${unit} is ${state}`,
        next: commandOn(input, host.name, `systemctl status ${unit}; journalctl -u ${unit} -n 30`),
      })),
    };
  },
};
