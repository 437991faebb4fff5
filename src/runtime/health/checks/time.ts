import { medianClockSkew } from '../../../runner/facts.ts';
import { commandOn, reachedHosts, type HealthCheck } from '../check.ts';

export const time: HealthCheck = {
  name: 'time',
  condition: 'ClocksInStep',
  evaluate: (input) => {
    const hosts = reachedHosts(input);
    if (hosts.length === 0) return { type: 'unknown', found: 'no host could be reached' };
    const middle = medianClockSkew(hosts.map(({ facts }) => facts));
    const offsets = hosts.map(({ host, facts }) => ({ host: host.name, ms: facts.clockSkewMs - middle }));
    const largest = Math.max(...offsets.map(({ ms }) => Math.abs(ms)));
    return {
      type: 'evaluated',
      found: `clocks are within ${seconds(largest)} of each other`,
      findings: offsets
        .filter(({ ms }) => Math.abs(ms) > MAX_SKEW_MS)
        .map(({ host, ms }) => ({
          host,
          severity: 'failed',
          found: `clock is ${seconds(ms)} ${ms > 0 ? 'ahead of' : 'behind'} the other hosts`,
          next: commandOn(input, host, 'timedatectl; chronyc tracking'),
        })),
    };
  },
};

/** Same limit as in preflight: with a larger skew, tokens and certificates are rejected. */
const MAX_SKEW_MS = 5000;

const seconds = (ms: number) => `${(Math.abs(ms) / 1000).toFixed(1)} s`;
