import { fail } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import type { HealthResult } from '../../runtime/health/check.ts';
import { defineCommand } from '../command.ts';
import { healthText, summaryOf } from '../format/health-text.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { interruptible } from '../interrupts.ts';
import { inspectOptions, loadSelectedCluster } from '../open-cluster.ts';
import { objectOutput } from '../options/output.ts';

export const healthCluster = defineCommand({
  path: 'health cluster',
  summary: 'Check the health of a running cluster',
  description:
    'Runs these checks in order: hosts, time, etcd, services, api, endpoint, nodes, pods, dns, certificates and disk. Does not change the hosts. Each check reports ok, warning, failed or unknown, with details and instructions to fix a problem.\nExits with 0 if no check failed (warnings are allowed), otherwise with 10.',
  options: {
    ...inspectOptions,
    wait: {
      type: 'text',
      value: 'DURATION',
      summary: 'maximum time to wait until the cluster is healthy, e.g. 10m',
    },
    output: objectOutput,
  },
  examples: [
    { command: 'kubexm health cluster -c prod', does: 'Check the cluster of the context prod' },
    {
      command: 'kubexm health cluster -c prod --wait 10m',
      does: 'Wait up to 10 minutes for the cluster to become healthy',
    },
    {
      command: 'kubexm health cluster -c prod -o json | jq -r \'.checks[] | select(.status != "ok")\'',
      does: 'Print the checks that are not ok',
    },
  ],
  async run(call) {
    const { printStructured } = await import('../format/structured.ts');
    const { console, options } = call;
    const { checkHealth } = await import('../../runtime/health/check-health.ts');
    const { isHealthy } = await import('../../runtime/health/evaluate.ts');
    const waitMs = await durationOf(options.wait);
    const { cluster, workdir, named } = await loadSelectedCluster(call);
    console.progress({ task: `Checking ${cluster.name}` });
    const results = await interruptible(console, ({ soft: signal }) =>
      checkHealth(cluster, {
        workdir,
        clusterFlag: named,
        waitMs,
        signal,
        onNewHostKey: showNewHostKeys(console),
        onWait: (found) => console.progress({ task: `Waiting for ${cluster.name}: ${unhealthyChecks(found)}` }),
      }),
    );
    const healthy = isHealthy(results);
    const record = { cluster: cluster.name, healthy, checks: results };
    if (!printStructured(console, options.output, record)) {
      const { color } = console;
      console.print(`${healthText(results, color)}\n`);
      console.print(
        healthy
          ? `${color.green('✓')} ${cluster.name} is healthy: ${summaryOf(results)}.`
          : `${color.red('x')} ${cluster.name} is unhealthy: ${summaryOf(results)}.`,
      );
    }
    return healthy ? EXIT.ok : EXIT.config;
  },
});

async function durationOf(text: string | undefined): Promise<number> {
  if (text === undefined) return 0;
  const { parseDuration } = await import('../../config/value/time.ts');
  const ms = parseDuration(text);
  if (ms === undefined)
    throw fail('USAGE', {
      message: `--wait ${text} is not a valid duration.`,
      help: 'kubexm health cluster --wait 10m',
    });
  return ms;
}

const unhealthyChecks = (results: readonly HealthResult[]) =>
  results.flatMap(({ check, status }) => (status === 'ok' || status === 'warning' ? [] : [check])).join(', ');
