import { fail } from '../../../common/errors/errors.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { checkOnly } from '../../common/check-only.ts';
import { recordUnreachable } from '../../contract/reachability.ts';
import type { StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { addTo, REPORTS } from '../cache-keys.ts';
import { parseProbe } from './probe.ts';
import { probeScript } from './script.ts';

/** Starts with an empty set of reports, so that the checks are evaluated even if no host is reachable. */
export const startChecks = defineStep({
  name: 'preflight.begin',
  summary: 'Start the preflight checks',
  provides: [REPORTS],
  parts: () => [
    checkOnly('check:begin', 'start the preflight checks', ({ cache }) => {
      if (!cache.get(REPORTS)) cache.set(REPORTS, new Map());
    }),
  ],
});

/** Collects the data that the checks need from a host, and starts a temporary listener on its free ports. */
export const probeHost = (cluster: Cluster): Step =>
  defineStep({
    name: 'preflight.look',
    summary: 'Probe the host',
    timeoutMs: probeTimeout(cluster),
    provides: [REPORTS],
    parts: ({ host: { name } }) => {
      const host = cluster.hosts.find((each) => each.name === name);
      if (!host) throw new TypeError(`${name} is not a host of ${cluster.name}`);
      return [checkOnly('check:probe', 'collect data for the preflight checks', (ctx) => probe(cluster, host, ctx))];
    },
  });

/** Allows for slow connections; the probe itself is fast. */
export const probeTimeout = ({ hosts }: Cluster): number =>
  Math.max(...hosts.map(({ login }) => login.timeoutMs)) + 60_000;

async function probe(cluster: Cluster, host: ClusterHost, ctx: StepContext): Promise<void> {
  const { cache, facts, runner, signal } = ctx;
  // At most once per run: later, cluster components use the ports.
  if (cache.get(REPORTS)?.has(host.name)) return;
  const onAbort = () => recordUnreachable(cache, host.name, signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const { stdout, stderr } = await runner.query(probeScript(cluster, host, facts));
    const result = parseProbe(stdout);
    const reason = stderr.trim() || 'the output of the probe is truncated';
    if (!result) throw fail('FACTS_UNREADABLE', { host: host.name, reason });
    addTo(cache, REPORTS, host.name, { host, facts, probe: result });
  } catch (error) {
    recordUnreachable(cache, host.name, error);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
