import { count, on, seenHosts, type HealthCheck } from '../check.ts';

export const services: HealthCheck = {
  name: 'services',
  condition: 'ServicesRunning',
  judge: (scene) => {
    const asked = seenHosts(scene).flatMap(({ host, services: seen }) => (seen ? [{ host, ...seen }] : []));
    if (asked.length === 0) return { type: 'unknown', found: 'no node was reached' };
    const all = asked.flatMap(({ units }) => units).length;
    const down = asked.flatMap(({ host, down: each }) => each.map((one) => ({ host, ...one })));
    return {
      type: 'judged',
      found:
        down.length === 0
          ? `${count(all, 'service')} of Kubernetes on ${count(asked.length, 'node')} ${all === 1 ? 'runs' : 'run'}`
          : `${all - down.length} of ${all} services of Kubernetes run`,
      findings: down.map(({ host, unit, state }) => ({
        host: host.name,
        severity: 'failed',
        found: `${unit} is ${state}`,
        next: on(scene, host.name, `systemctl status ${unit}; journalctl -u ${unit} -n 30`),
      })),
    };
  },
};
