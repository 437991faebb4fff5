import type { Cluster } from '../../../config/model/cluster.ts';
import { defineStep, type Step, type StepContext } from '../../contract/step.ts';
import { connectScript, parseAttempts } from '../connect-script.ts';
import { connectionsAmong } from './connections.ts';
import { addTo, ATTEMPTS, REPORTS } from '../cache-keys.ts';
import { stepTimeout } from '../probe/probe-host.ts';
import { checkOnly } from '../../common/check-only.ts';

/** Calls the hosts that this one has to reach, on the ports where the cluster will talk. */
export const callPeers = (cluster: Cluster): Step =>
  defineStep({
    name: 'preflight.connect',
    summary: 'Reach the other hosts',
    timeoutMs: stepTimeout(cluster),
    needs: [REPORTS],
    provides: [ATTEMPTS],
    parts: () => [checkOnly('check:connections', 'reach the other hosts', (ctx) => callFrom(cluster, ctx))],
  });

async function callFrom(cluster: Cluster, { cache, runner, host: { name } }: StepContext): Promise<void> {
  if (cache.get(ATTEMPTS)?.has(name)) return;
  const reports = cache.get(REPORTS) ?? new Map();
  const own = reports.get(name);
  const seen = cluster.hosts.filter((host) => reports.has(host.name));
  const connections = own ? connectionsAmong(cluster, seen) : [];
  if (!own || connections.length === 0) return addTo(cache, ATTEMPTS, name, []);
  const { stdout } = await runner.query(connectScript(connections, reports, own));
  addTo(cache, ATTEMPTS, name, parseAttempts(stdout, connections, reports, own));
}
