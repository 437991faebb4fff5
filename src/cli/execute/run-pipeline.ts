import { relative } from 'node:path';
import { KubexmError } from '../../common/errors/errors.ts';
import { masked } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { LoadedCluster } from '../../config/load/load.ts';
import { causeOf } from '../../engine/event/event-text.ts';
import { createMetrics } from '../../engine/event/metrics.ts';
import { serveMetrics, writeMetrics } from '../../engine/event/metrics-server.ts';
import type { Subscriber } from '../../engine/event/event.ts';
import type { Stop } from '../../engine/stop.ts';
import { createSummary } from '../../engine/summary.ts';
import { selectionText } from '../../runtime/plan/filter-plan.ts';
import { planAsked, type AskedPipeline, type Planned } from '../../runtime/plan/plan-asked.ts';
import { previewPlan } from '../../runtime/run/preview-plan.ts';
import { runPlan, type PlanResult, type RunPlanOptions } from '../../runtime/run/run-plan.ts';
import { openSession, type Session } from '../../runtime/session/session.ts';
import { placeOf, type ClusterPlace } from '../options/cluster.ts';
import type { GlobalOptions } from '../command.ts';
import type { Console } from '../console.ts';
import { errorRecord } from '../format/error-text.ts';
import { chooseRun } from './choose-run.ts';
import { commandLine, goOnLine } from './command-line.ts';
import { listenForInterrupts } from '../interrupts.ts';
import type { RunOptionValues } from '../options/pipeline.ts';
import { previewJson, previewText } from './preview-text.ts';
import { jsonText, resultJson } from './result-json.ts';
import { resultText } from './result-text.ts';
import { viewOn } from './view.ts';

/** One call of a command that runs a pipeline. */
export interface PipelineCall {
  readonly options: RunOptionValues;
  readonly global: GlobalOptions;
  readonly console: Console;
}

/** The cluster that a call is about, and where it stands. */
export interface AskedCluster extends LoadedCluster {
  readonly place: ClusterPlace;
}

/** What of a pipeline is to be run, and how. */
export interface PipelineRun {
  readonly pipeline: (asked: AskedCluster) => AskedPipeline | Promise<AskedPipeline>;
  /** One task of it only. */
  readonly task?: string;
  /** What the user called: "create cluster". */
  readonly command: string;
  readonly leaves?: boolean;
  /** A step whose words are repeated at the end. */
  readonly tells?: string;
  /** Called when the plan is known and nothing is changed; throws to refuse. */
  readonly before?: (cluster: Cluster, place: ClusterPlace) => Promise<void>;
  /** Called when it was done on all hosts. */
  readonly after?: (cluster: Cluster, place: ClusterPlace) => Promise<void>;
}

/** Loads the cluster, makes the plan, and previews or runs it; resolves with the exit code. */
export async function runPipeline(call: PipelineCall, run: PipelineRun): Promise<number> {
  if (call.options.output !== 'json') return begin(call, run);
  try {
    return await begin(call, run);
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    call.console.print(jsonText({ outcome: 'refused', exit: error.exit, error: errorRecord(error) }));
    return error.exit;
  }
}

async function begin(call: PipelineCall, run: PipelineRun): Promise<number> {
  const { options, global } = call;
  const { loadChecked } = await import('../../config/load/load.ts');
  const place = await placeOf(options, global);
  const { file, workdir } = place;
  const { withLogin } = await import('../../config/model/with-login.ts');
  const { diagnostics, ...loaded } = await loadChecked(file, { overrides: options.extraVars });
  const cluster = withLogin(loaded.cluster, options);
  const asked = await run.pipeline({ cluster, diagnostics, place });
  const draft = planAsked(asked, cluster, {
    nodes: options.nodes,
    tags: options.tags,
    skipTags: options.skipTags,
    task: run.task,
  });
  const selection = selectionText(options);
  const question = { workdir, cluster: cluster.name, pipeline: draft.graph.name, command: run.command, selection };
  // What is returned is waited for first: the session ends with this function.
  await using session = await openSession(cluster, workdir);
  if (options.dryRun) return await showPreview(call, session, (await draft.complete(session)).graph);
  const resume = await chooseRun(call, question);
  if (resume.type === 'nothing') return 0;
  await run.before?.(cluster, place);
  const { graph, hosts } = await draft.complete(session);
  const { outcome, exit } = await runNow(call, session, graph, {
    workdir,
    command: run.command,
    selection,
    resume: resume.id,
    leaves: run.leaves === true && hosts === 'all',
    tells: run.tells,
  });
  if (outcome === 'done' && hosts === 'all') await run.after?.(cluster, place);
  return exit;
}

type Graph = Planned['graph'];
type Chosen = Pick<RunPlanOptions, 'workdir' | 'command' | 'selection' | 'resume' | 'leaves'> & {
  readonly tells: string | undefined;
};

async function showPreview(call: PipelineCall, session: Session, graph: Graph): Promise<number> {
  const { console, options } = call;
  using interrupts = listenForInterrupts((text) => console.note(text, 'warning'));
  const { outline, preview } = await previewPlan(session, graph, interrupts.stop);
  if (options.output === 'json') console.print(jsonText({ plan: outline.split('\n'), ...previewJson(preview) }));
  else console.print(masked(`${outline}\n\n${previewText(preview, console.color)}`));
  return 0;
}

async function runNow(
  call: PipelineCall,
  session: Session,
  graph: Graph,
  { tells, ...chosen }: Chosen,
): Promise<PlanResult> {
  const { options, console } = call;
  const metrics = createMetrics();
  await using _ = options.metricsListen === undefined ? undefined : await serveMetrics(options.metricsListen, metrics);
  // A file that cannot be written is told before anything is changed.
  if (options.metricsFile !== undefined) await writeMetrics(options.metricsFile, metrics);
  const summary = createSummary();
  const told: string[] = [];
  const result = await watched(call, graph.name, (subscriber, stop) =>
    runPlan(session, graph, {
      ...chosen,
      line: commandLine(process.argv.slice(2)),
      goOn: goOnLine(process.argv.slice(2)),
      rollback: !options.noRollback,
      maxSetAside: options.maxSetAside,
      subscribers: [subscriber, summary.subscriber, metrics.subscriber, listenTo(tells, told)],
      stop,
    }),
  );
  const style = { color: console.color, columns: process.stderr.columns, log: relative('.', result.paths.log) };
  if (options.output === 'json') console.print(jsonText(resultJson(result, session)));
  else if (call.global.logFormat !== 'json') {
    for (const line of told) console.note(masked(line), 'warning');
    console.note(masked(resultText(result, summary, style)));
  }
  if (options.metricsFile !== undefined)
    await writeMetrics(options.metricsFile, metrics).catch((error) => console.note(causeOf(error), 'warning'));
  return result;
}

const listenTo =
  (step: string | undefined, lines: string[]): Subscriber =>
  (event) => {
    if (event.type === 'said' && event.node.step.name === step) lines.push(event.line);
  };

/** Shows a run while it goes on, and listens for Ctrl-C. */
async function watched<Result>(
  { global, console }: PipelineCall,
  title: string,
  act: (subscriber: Subscriber, stop: Stop) => Promise<Result>,
): Promise<Result> {
  const json = global.logFormat === 'json';
  using view = viewOn(process.stderr, { title, json, verbose: global.verbose, color: console.color, redact: masked });
  using interrupts = listenForInterrupts((text) => view.aside(() => console.note(text, 'warning')));
  return await act(view.subscriber, interrupts.stop);
}
