import { medianClockSkew } from '../../../runner/facts.ts';
import { on, seenHosts, type HealthCheck } from '../check.ts';

export const time: HealthCheck = {
  name: 'time',
  condition: 'ClocksInStep',
  judge: (scene) => {
    const seen = seenHosts(scene);
    if (seen.length === 0) return { type: 'unknown', found: 'no host was reached' };
    const middle = medianClockSkew(seen.map(({ facts }) => facts));
    const away = seen.map(({ host, facts }) => ({ host: host.name, ms: facts.clockSkewMs - middle }));
    const most = Math.max(...away.map(({ ms }) => Math.abs(ms)));
    return {
      type: 'judged',
      found: `clocks are within ${seconds(most)} of each other`,
      findings: away
        .filter(({ ms }) => Math.abs(ms) > BAR_MS)
        .map(({ host, ms }) => ({
          host,
          severity: 'failed',
          found: `its clock is ${seconds(ms)} ${ms > 0 ? 'ahead of' : 'behind'} the other hosts`,
          next: on(scene, host, 'timedatectl; chronyc tracking'),
        })),
    };
  },
};

/** As before an installation: tokens and certificates are refused when clocks are further apart. */
const BAR_MS = 5000;

const seconds = (ms: number) => `${(Math.abs(ms) / 1000).toFixed(1)} s`;
