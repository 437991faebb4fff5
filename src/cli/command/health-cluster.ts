import { fail } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import type { HealthResult } from '../../runtime/health/check.ts';
import { defineCommand } from '../command.ts';
import { interruptible, lookOptions, namedCluster } from '../open-cluster.ts';
import { printedAs, thingOutput } from '../format/print-as.ts';
import { healthText, summaryOf } from '../format/health-text.ts';

export const healthCluster = defineCommand({
  path: 'health cluster',
  summary: 'Check a cluster that runs, from its hosts to its pods; nothing is changed',
  description:
    'Ordered checks, each ok, warning, failed or unknown, with what was found and what to do next: hosts, time, etcd, services, api, endpoint, nodes, pods, dns, certificates, disk.\nEnds with 0 when all is well or there are only warnings, with 10 otherwise.',
  options: {
    ...lookOptions,
    wait: { type: 'text', value: 'DURATION', summary: 'ask again until all is well, for at most so long: 90s, 10m' },
    output: thingOutput,
  },
  examples: [
    { command: 'kubexm health cluster -c prod', does: 'Is it well?' },
    { command: 'kubexm health cluster -c prod --wait 10m', does: 'Wait until it is' },
    {
      command: 'kubexm health cluster -c prod -o json | jq -r \'.checks[] | select(.status != "ok")\'',
      does: 'For a script',
    },
  ],
  async run(call) {
    const { console, options } = call;
    const { checkHealth } = await import('../../runtime/health/check-health.ts');
    const { isHealthy } = await import('../../runtime/health/evaluate.ts');
    const waitMs = await durationOf(options.wait);
    const { cluster, workdir, named } = await namedCluster(call);
    const tell = (task: string) => console.progress({ task });
    tell(`Looking at ${cluster.name}`);
    const results = await interruptible(call, ({ soft: signal }) =>
      checkHealth(cluster, {
        workdir,
        named,
        waitMs,
        signal,
        onWait: (found) => tell(`Waiting for ${cluster.name}: ${openOf(found)}`),
      }),
    );
    const healthy = isHealthy(results);
    const record = { cluster: cluster.name, healthy, checks: results };
    if (!(await printedAs(console, options.output, record))) {
      const { color } = console;
      console.print(`${healthText(results, color)}\n`);
      console.print(
        healthy
          ? `${color.green('✓')} ${cluster.name} is well: ${summaryOf(results)}.`
          : `${color.red('x')} ${cluster.name} is not well: ${summaryOf(results)}.`,
      );
    }
    return healthy ? EXIT.ok : EXIT.config;
  },
});

async function durationOf(text: string | undefined): Promise<number> {
  if (text === undefined) return 0;
  const { parseDuration } = await import('../../config/value/duration.ts');
  const ms = parseDuration(text);
  if (ms === undefined)
    throw fail('USAGE', { message: `--wait ${text} is no duration.`, help: 'kubexm health cluster --wait 10m' });
  return ms;
}

const openOf = (results: readonly HealthResult[]) =>
  results.flatMap(({ check, status }) => (status === 'ok' || status === 'warning' ? [] : [check])).join(', ');
