import { relative } from 'node:path';
import { KubexmError } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { LoadedCluster } from '../../config/load/load.ts';
import { causeOf } from '../../engine/event/event-text.ts';
import { createMetrics } from '../../engine/event/metrics.ts';
import { serveMetrics, writeMetrics } from '../../engine/event/metrics-server.ts';
import type { Subscriber } from '../../engine/event/event.ts';
import type { Stop } from '../../engine/stop.ts';
import { createSummary } from '../../engine/summary.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { selectionText } from '../../runtime/plan/filter-plan.ts';
import { draftPlan, type AssetSource, type PlannedRun, touchedHosts } from '../../runtime/plan/plan-run.ts';
import { previewPlan } from '../../runtime/run/preview-plan.ts';
import { runPlan, type PlanResult, type RunPlanOptions } from '../../runtime/run/run-plan.ts';
import { openSession, type Session } from '../../runtime/session/session.ts';
import type { GlobalOptions } from '../command.ts';
import type { Console } from '../console.ts';
import { errorRecord } from '../format/error-text.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { locateCluster, type ClusterLocation } from '../options/cluster.ts';
import type { PipelineOptionValues } from '../options/pipeline.ts';
import { chooseRun } from './choose-run.ts';
import { commandLine, resumeLine } from './command-line.ts';
import { lazySession, type OpenSession } from './lazy-session.ts';
import { previewJson, previewText } from './preview-text.ts';
import { resultJson } from './result-json.ts';
import { resultText } from './result-text.ts';
import { openView } from './view.ts';

/** An invocation of a command that runs a pipeline. */
export interface PipelineCall {
  readonly options: PipelineOptionValues;
  readonly global: GlobalOptions;
  readonly console: Console;
}

/** The cluster that a pipeline runs on. */
export interface LocatedCluster extends LoadedCluster {
  readonly location: ClusterLocation;
}

/** The pipeline that a command runs, with hooks before and after it. */
export interface PipelineRun {
  readonly pipeline: Pipeline;
  /** The source of the files and images that the pipeline installs, if any. */
  readonly assets?: AssetSource;
  /** If set, runs only this task. */
  readonly task?: string;
  /** Whether the run deletes the cluster, so that no kubexm files remain on the hosts. */
  readonly removesCluster?: boolean;
  /** Hosts that the run removes from the cluster, so that no kubexm files remain on them. */
  readonly removesHosts?: readonly string[];
  /** Identifies the run for --resume; defaults to the options that select hosts and tasks. */
  readonly selection?: string;
  /** Called before the first change; throws to cancel. */
  readonly before?: (cluster: Cluster, location: ClusterLocation) => Promise<void>;
  /** Called after the pipeline succeeded on all hosts. */
  readonly after?: (cluster: Cluster, location: ClusterLocation) => Promise<void>;
  /** Describes what the steps do not show: the hosts that the plan changes, and the work left for a later run. */
  readonly describe?: (touched: readonly Host[]) => RunNotes;
  /** Whether --resume starts a new run if there is no unfinished run. */
  readonly resumeCanStart?: boolean;
}

/** Additional output of a run, as text and as fields of the JSON result. */
export interface RunNotes {
  readonly lines: readonly string[];
  readonly json: object;
}

/** The command has nothing to do. `nothing` is the message for the user. */
export interface NothingToRun {
  readonly nothing: string;
}

/** Chooses the pipeline of a command after the cluster file has been loaded. */
export type ChoosePipeline = (
  located: LocatedCluster,
  open: OpenSession,
) => PipelineRun | NothingToRun | Promise<PipelineRun | NothingToRun>;

/** Loads the cluster for an invocation. */
export type LoadCluster = (call: PipelineCall) => Promise<LocatedCluster>;

/**
 * Loads the cluster, plans the pipeline, and previews or runs it. Returns the exit code. `load` is for commands whose
 * cluster is not exactly the one in the cluster file.
 */
export async function runPipeline(
  call: PipelineCall,
  choose: ChoosePipeline,
  load: LoadCluster = loadLocated,
): Promise<number> {
  if (call.options.output !== 'json') return planAndRun(call, choose, load);
  try {
    return await planAndRun(call, choose, load);
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    call.console.json({ outcome: 'refused', exit: error.exit, error: errorRecord(error) });
    return error.exit;
  }
}

async function planAndRun(call: PipelineCall, choose: ChoosePipeline, load: LoadCluster): Promise<number> {
  const located = await load(call);
  const { cluster, location } = located;
  const { workdir } = location;
  // The function must use `return await`, because the session is closed when it returns.
  await using opened = lazySession(() => openSession(cluster, workdir, showNewHostKeys(call.console)));
  const chosen = await choose(located, opened.open);
  if ('nothing' in chosen) return reportNothing(call, chosen);
  const { pipeline, assets, task, removesCluster = false, removesHosts = [], before, after, describe } = chosen;
  const { nodes, tags, skipTags, dryRun } = call.options;
  const filter = { nodes, tags, skipTags, task };
  const draft = draftPlan({ pipeline, cluster, workdir, filter, ...(assets && { assets }) });
  const session = await opened.open();
  if (dryRun) return await showPreview(call, session, (await draft.complete(session)).graph, describe);
  const command = task === undefined ? pipeline.command : `run task ${task}`;
  const selection = chosen.selection ?? selectionText(call.options);
  const resumed = await chooseRun(call, {
    workdir,
    cluster: cluster.name,
    pipeline: pipeline.name,
    command,
    selection,
    canStart: chosen.resumeCanStart ?? false,
  });
  if (resumed.type === 'nothing') return 0;
  await before?.(cluster, location);
  const { graph, hosts, reports } = await draft.complete(session);
  const isWhole = hosts === 'all';
  const { outcome, exit } = await runNow(call, session, graph, {
    title: task === undefined ? pipeline.title : command,
    workdir,
    command,
    selection,
    resume: resumed.id,
    removesCluster: removesCluster && isWhole,
    removesHosts: isWhole ? removesHosts : [],
    reports,
    describe,
  });
  if (outcome === 'done' && isWhole) await after?.(cluster, location);
  return exit;
}

function reportNothing({ options, console }: PipelineCall, { nothing }: NothingToRun): number {
  if (options.output === 'json') console.json({ outcome: 'done', exit: 0 });
  else console.note(nothing);
  return 0;
}

/** Loads the cluster file that the options select. */
export async function loadLocated({ options, global }: PipelineCall): Promise<LocatedCluster> {
  const { loadChecked } = await import('../../config/load/load.ts');
  const { withLogin } = await import('../../config/model/with-login.ts');
  const location = await locateCluster(options, global);
  const { cluster, diagnostics } = await loadChecked(location.file, { overrides: options.extraVars });
  return { cluster: withLogin(cluster, options), diagnostics, location };
}

type Graph = PlannedRun['graph'];
type RunSettings = Pick<
  RunPlanOptions,
  'workdir' | 'command' | 'selection' | 'resume' | 'removesCluster' | 'removesHosts'
> &
  Pick<PlannedRun, 'reports'> & { readonly title: string; readonly describe: PipelineRun['describe'] };

const NO_NOTES: RunNotes = { lines: [], json: {} };

async function showPreview(
  call: PipelineCall,
  session: Session,
  graph: Graph,
  describe: PipelineRun['describe'],
): Promise<number> {
  const { console, options } = call;
  using interrupts = listenForInterrupts((text) => console.note(text, 'warning'));
  const { outline, preview } = await previewPlan(session, graph, interrupts.stop);
  const notes = describe?.(touchedHosts(graph)) ?? NO_NOTES;
  if (options.output === 'json') console.json({ plan: outline.split('\n'), ...previewJson(preview), ...notes.json });
  else console.print([`${outline}\n`, previewText(preview, console.color), ...notes.lines].join('\n'));
  return 0;
}

async function runNow(
  call: PipelineCall,
  session: Session,
  graph: Graph,
  { title, reports, describe, ...settings }: RunSettings,
): Promise<PlanResult> {
  const { options, console } = call;
  const metrics = createMetrics();
  await using _ = options.metricsListen === undefined ? undefined : await serveMetrics(options.metricsListen, metrics);
  // Writes the file once before the run, so that the command fails before the first change if it is not writable.
  if (options.metricsFile !== undefined) await writeMetrics(options.metricsFile, metrics);
  const summary = createSummary();
  const reported: string[] = [];
  const result = await withView(call, title, (subscriber, stop) =>
    runPlan(session, graph, {
      ...settings,
      line: commandLine(process.argv.slice(2)),
      resumeCommand: resumeLine(process.argv.slice(2)),
      rollback: !options.noRollback,
      maxQuarantined: options.maxSetAside,
      subscribers: [subscriber, summary.subscriber, metrics.subscriber, collectReports(reports, reported)],
      stop,
    }),
  );
  const style = { color: console.color, columns: process.stderr.columns, log: shortPath(result.paths.log) };
  const notes = describe?.(touchedHosts(graph)) ?? NO_NOTES;
  if (options.output === 'json') console.json({ ...resultJson(result, session), ...notes.json });
  else if (call.global.logFormat !== 'json') {
    for (const line of reported) console.note(line, 'warning');
    console.note([resultText(result, summary, style), ...notes.lines].join('\n'));
  }
  if (options.metricsFile !== undefined)
    await writeMetrics(options.metricsFile, metrics).catch((error) => console.note(causeOf(error), 'warning'));
  return result;
}

/** Returns the path relative to the current directory, unless it is outside that directory. */
function shortPath(path: string): string {
  const short = relative('.', path);
  return short.startsWith('..') ? path : short;
}

const collectReports =
  (steps: ReadonlySet<string>, lines: string[]): Subscriber =>
  (event) => {
    if (event.type === 'said' && steps.has(event.node.step.name)) lines.push(event.line);
  };

/** Shows progress during the run and handles Ctrl-C. */
async function withView<Result>(
  { global, console }: PipelineCall,
  title: string,
  run: (subscriber: Subscriber, stop: Stop) => Promise<Result>,
): Promise<Result> {
  const json = global.logFormat === 'json';
  using view = openView(process.stderr, { title, json, verbose: global.verbose, color: console.color });
  using _ = console.besideView(view);
  using interrupts = listenForInterrupts((text) => console.note(text, 'warning'));
  return await run(view.subscriber, interrupts.stop);
}
