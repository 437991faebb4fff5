import { fail } from '../../../common/errors/errors.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { defineStep, type Step, type StepContext } from '../../contract/step.ts';
import { recordUnreachable } from '../../contract/reachability.ts';
import { addTo, REPORTS } from '../cache-keys.ts';
import { checkOnly } from '../../common/check-only.ts';
import { probeScript } from './script.ts';
import { parseProbe } from '../read-probe.ts';

/** Finds out all that the checks ask about a host, and opens its free ports for the other hosts for a while. */
export const probeHost = (cluster: Cluster): Step =>
  defineStep({
    name: 'preflight.look',
    summary: 'Look at the host',
    timeoutMs: stepTimeout(cluster),
    provides: [REPORTS],
    parts: ({ host: { name } }) => {
      const host = cluster.hosts.find((each) => each.name === name);
      if (!host) throw new TypeError(`${name} is no host of ${cluster.name}`);
      return [checkOnly('check:probe', 'look at what the checks ask', (ctx) => lookAt(cluster, host, ctx))];
    },
  });

/** Reaching a host may take its time; looking at it does not. */
export const stepTimeout = ({ hosts }: Cluster): number =>
  Math.max(...hosts.map(({ login }) => login.timeoutMs)) + 60_000;

async function lookAt(cluster: Cluster, host: ClusterHost, ctx: StepContext): Promise<void> {
  const { cache, facts, runner, signal } = ctx;
  // Once in a run: later the ports belong to the cluster.
  if (cache.get(REPORTS)?.has(host.name)) return;
  const giveUp = () => recordUnreachable(cache, host.name, signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const { stdout, stderr } = await runner.query(probeScript(cluster, host, facts));
    const probe = parseProbe(stdout);
    const reason = stderr.trim() || 'it did not answer in full';
    if (!probe) throw fail('FACTS_UNREADABLE', { host: host.name, reason });
    addTo(cache, REPORTS, host.name, { host, facts, probe });
  } catch (error) {
    recordUnreachable(cache, host.name, error);
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
