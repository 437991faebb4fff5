import { masked } from '../../common/secret.ts';
import type { Cluster } from '../../config/cluster.ts';
import { createMetrics } from '../../engine/metrics.ts';
import { serveMetrics, writeMetrics } from '../../engine/metrics-server.ts';
import { createStop, type Stop } from '../../engine/stop.ts';
import { createSummary } from '../../engine/summary.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { filterPlan } from '../../runtime/filter-plan.ts';
import { plan } from '../../runtime/plan.ts';
import { previewPlan } from '../../runtime/preview-plan.ts';
import { runPlan } from '../../runtime/run-plan.ts';
import { openSession } from '../../runtime/session.ts';
import { placeOf } from '../cluster-options.ts';
import type { GlobalOptions } from '../command.ts';
import type { Console } from '../console.ts';
import type { RunOptionValues } from './options.ts';
import { previewText } from './preview-text.ts';
import { resultText } from './result-text.ts';
import { viewOn } from './view.ts';

/** One call of a command that runs a pipeline. */
export interface PipelineCall {
  readonly options: RunOptionValues;
  readonly global: GlobalOptions;
  readonly console: Console;
}

/** What of a pipeline is to be run, and how. */
export interface PipelineRun {
  readonly pipeline: (cluster: Cluster) => Pipeline | Promise<Pipeline>;
  /** One task of it only. */
  readonly task?: string;
  /** The command that goes on with it, without its cluster. */
  readonly command: string;
  readonly leaves?: boolean;
  /** Asked when the plan is known and nothing is changed; throws to refuse. */
  readonly confirm?: (cluster: Cluster) => Promise<void>;
}

/** Loads the cluster, makes the plan, and previews or runs it; resolves with the exit code. */
export async function runPipeline(call: PipelineCall, run: PipelineRun): Promise<number> {
  const { options, global, console } = call;
  const { loadCluster } = await import('../../config/load.ts');
  const { file, workdir } = await placeOf(options, global);
  const cluster = await loadCluster(file, { overrides: options.extraVars });
  const { graph, hosts } = filterPlan(plan(await run.pipeline(cluster), cluster), cluster, {
    nodes: options.nodes,
    tags: options.tags,
    skipTags: options.skipTags,
    task: run.task,
  });
  using interrupts = listenForInterrupts(console);
  await using session = await openSession(cluster, workdir);
  if (options.dryRun) {
    const { outline, preview } = await previewPlan(session, graph, interrupts.stop);
    console.print(masked(`${outline}\n\n${previewText(preview, console.color)}`));
    return 0;
  }
  await run.confirm?.(cluster);
  const metrics = createMetrics();
  await using _ = options.metricsListen === undefined ? undefined : await serveMetrics(options.metricsListen, metrics);
  const summary = createSummary();
  const json = global.logFormat === 'json';
  const view = viewOn(process.stderr, { json, verbose: global.verbose, color: console.color, redact: masked });
  let result: RunResult;
  try {
    result = await runPlan(session, graph, {
      workdir,
      command: run.command,
      goOn: goOn(call, run),
      resume: options.resume,
      rollback: !options.noRollback,
      ...(run.leaves && hosts === 'all' && { leaves: true }),
      subscribers: [view.subscriber, summary.subscriber, metrics.subscriber],
      stop: interrupts.stop,
    });
  } finally {
    view[Symbol.dispose]();
  }
  if (options.metricsFile !== undefined) await writeMetrics(options.metricsFile, metrics);
  if (!json) console.note(masked(resultText(result, summary, console.color)));
  return result.exit;
}

/** The command to paste, with the same cluster. */
const goOn = ({ options: { file, clusterName } }: PipelineCall, { command }: PipelineRun) =>
  ['kubexm', command, file && `-f ${file}`, clusterName && `-c ${clusterName}`, '--resume'].filter(Boolean).join(' ');

/** Ctrl-C once ends well, twice at once. */
function listenForInterrupts(console: Console): Disposable & { readonly stop: Stop } {
  const stop = createStop();
  const interrupt = () => {
    if (!stop.soft.aborted) console.note('Finishing the steps in flight; press Ctrl-C again to stop them.', 'warning');
    stop.request();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    stop,
    [Symbol.dispose]: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}
