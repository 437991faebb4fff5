import { EXIT } from '../../common/errors/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { drainOptions, drainSettings } from '../options/drain.ts';
import { nodeArguments, nodeChangeOptions } from '../options/node-change.ts';

export const drainNodeCommand = defineCommand({
  path: 'drain node',
  summary: 'Cordon nodes and evict their pods',
  description:
    'Respects disruption budgets and waits until the pods are terminated. Shows which pods are waiting for which budget, and since when. DaemonSet pods and static pods are not evicted.\nRefuses to evict pods without a controller and pods with emptyDir volumes unless --force and --delete-emptydir-data are given. If a drain fails, the nodes that it cordoned are uncordoned.\nWith --dry-run, simulates the drain: lists pods without a controller, local volumes, budgets that never allow an eviction and pods that fit on no other node, and prints the order in which to drain the nodes. Exits with 14 if the drain would be refused or could not finish.',
  args: nodeArguments,
  options: { ...nodeChangeOptions, ...drainOptions },
  examples: [
    { command: 'kubexm drain node worker1 -c prod --dry-run', does: 'Simulate the drain and list its obstacles' },
    { command: 'kubexm drain node worker1 -c prod', does: 'Evict the pods of worker1' },
    {
      command: 'kubexm drain node worker1 worker2 -c prod --delete-emptydir-data --timeout 30m',
      does: 'Drain two nodes, one after another, at most 30 minutes each',
    },
    { command: 'kubexm drain node worker1 -c prod --resume', does: 'Continue a drain that was interrupted' },
  ],
  async run(call) {
    const options = drainSettings(call.options);
    if (!call.options.dryRun) {
      const { changeNodes } = await import('../execute/change-nodes.ts');
      const { drainNodesPipeline } = await import('../../pipeline/nodes/drain.ts');
      return changeNodes(call, (through) => drainNodesPipeline(through, options));
    }
    const { inspectCluster } = await import('../open-cluster.ts');
    const { forecastNodes } = await import('../../runtime/inspect/forecast-drain.ts');
    const { forecastText } = await import('../format/drain-text.ts');
    const forecast = await inspectCluster(call, (session, _, signal) =>
      forecastNodes(session, [...new Set(call.args)], { ...options, signal }),
    );
    const { console } = call;
    if (call.options.output === 'json') console.json(forecast);
    else console.print(forecastText(forecast, console.color));
    const isBlocked = forecast.nodes.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
    return isBlocked ? EXIT.refused : EXIT.ok;
  },
});
