import { count, unseenHosts, type HealthCheck } from '../check.ts';

export const hosts: HealthCheck = {
  name: 'hosts',
  condition: 'HostsReachable',
  judge: (scene) => {
    const all = scene.hosts.length;
    const away = unseenHosts(scene);
    return {
      type: 'judged',
      found: away.length === 0 ? `${count(all, 'host')} reached` : `${all - away.length} of ${all} hosts reached`,
      findings: away.map(({ host, reason }) => ({
        host: host.name,
        severity: 'failed',
        found: reason,
        next: `kubexm check hosts ${scene.named} --nodes ${host.name}`,
      })),
    };
  },
};
