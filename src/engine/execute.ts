import { setTimeout as sleep } from 'node:timers/promises';
import { nodesOf, positionsByHost, stepsByHost, type ExecutionGraph } from '../plan/graph.ts';
import { attempt, isLockedOut } from './attempt/attempt.ts';
import { createDeadlines } from './attempt/deadlines.ts';
import { decide } from './attempt/decide.ts';
import type { ChangeLog } from './attempt/run-step.ts';
import { createTimes } from './critical-path.ts';
import type { RunInfo } from './event/event.ts';
import type { ContextFor, Execution, Progress, Run, RunSettings } from './execution.ts';
import { countChange, createHostStates, type ConnectedHost } from './host-state.ts';
import type { Journal } from './journal/journal.ts';
import type { JournalRecord } from './journal/record.ts';
import { applyRecord, isAbout, newRunState, type RunState } from './journal/run-state.ts';
import { resultOf } from './outcome.ts';
import type { RunResult } from './result.ts';
import { rollBack } from './rollback.ts';
import { adaptiveLimits } from './schedule/adaptive-limits.ts';
import { schedule, type Limits } from './schedule/schedule.ts';
import { createStop, type Stop } from './stop.ts';
import { createTotals } from './totals.ts';

/**
 * Options for the engine. The engine depends on neither Kubernetes nor SSH; the step context provides access to the
 * host.
 */
export interface EngineOptions extends Partial<Omit<RunSettings, 'contextFor'>> {
  readonly contextFor: ContextFor;
  /** Identifies the run in events and in the journal. */
  readonly run: Pick<RunInfo, 'id' | 'cluster'>;
  readonly journal: Journal;
  /** The state of the run to resume. */
  readonly state?: RunState;
  /** By default, the total limit adapts to the load of this process. */
  readonly limits?: Partial<Pick<Limits, 'total' | 'perHost'>>;
  readonly stop?: Stop;
  /** How long a step may take to end after it was aborted. */
  readonly graceMs?: number;
}

/** Runs every node as soon as its dependencies are done, then rolls back the tasks that failed. */
export async function execute(graph: ExecutionGraph, options: EngineOptions): Promise<RunResult> {
  const started = Date.now();
  const { total, perHost = 1 } = options.limits ?? {};
  using adaptive = adaptiveLimits(perHost);
  const limits = total === undefined ? adaptive : { total, perHost };
  const execution = begin(graph, options);
  const { run, progress } = execution;
  const { totals } = progress;
  run.report({ type: 'run-started', run: run.info, at: started });
  await run.journal.saved();
  await schedule(graph.vertices, limits, {
    decide: (node, blocked) => decide(execution, node, blocked),
    run: (node, index) => attempt(execution, node, index),
  });
  const canRollBack = !run.journal.broken && !run.stop.hard.aborted && !isLockedOut(totals.fatal);
  const rolledBack =
    run.rollback && totals.failedTasks.size > 0 && canRollBack ? await rollBack(execution, limits) : undefined;
  await run.journal.saved().catch(() => {});
  // A journal write error at the end of the run is fatal, too.
  totals.fatal ??= run.journal.broken;
  const result = resultOf(execution, rolledBack);
  progress.record({ type: 'ended', outcome: result.outcome, at: new Date().toISOString() });
  await run.journal.saved().catch(() => {});
  const at = Date.now();
  run.report({ type: 'run-ended', run: run.info, at, outcome: result.outcome, durationMs: at - started });
  return result;
}

function begin(graph: ExecutionGraph, options: EngineOptions): Execution {
  const { journal, stop = createStop(), graceMs = 10_000 } = options;
  const nodes = nodesOf(graph);
  const info = { ...options.run, pipeline: graph.name, steps: nodes.length, hosts: stepsByHost(nodes) };
  const settings = { ...DEFAULTS, ...options };
  const positions = positionsByHost(graph);
  const run: Run = { ...settings, graph, positions, info, journal, stop, deadlines: createDeadlines(stop, graceMs) };
  const progress = createProgress(graph, options);
  const type = options.state ? 'resumed' : 'begun';
  progress.record({ type, run: info.id, pipeline: graph.name, at: new Date().toISOString(), fence: run.fence });
  return { run, progress };
}

function createProgress(graph: ExecutionGraph, { journal, state = newRunState(), connect }: EngineOptions): Progress {
  const record = (record: JournalRecord) => {
    applyRecord(state, record);
    journal.append(record);
  };
  const hostState = createHostStates(connect ? undefined : NEVER_REBOOTS);
  const changes: ChangeLog = {
    knows: (node, part, position) =>
      state.nodes.get(node)?.changes.some((change) => isAbout(change, part, position)) ?? false,
    write: (node, { key }, part, before) => {
      countChange(hostState(node.host));
      record({ type: 'change', node: node.id, part, key, ...(before !== undefined && { before }) });
      return journal.saved();
    },
  };
  return { state, totals: createTotals(), times: createTimes(graph), changes, hostState, record };
}

const NEVER_REBOOTS: ConnectedHost = Object.freeze({ bootId: () => undefined });

const DEFAULTS: Omit<RunSettings, 'contextFor'> = {
  connect: () => Promise.resolve(NEVER_REBOOTS),
  report: () => {},
  rollback: true,
  rebootWaitMs: 120_000,
  hostBudgetMs: 600_000,
  maxQuarantined: Infinity,
  resumeCommand: 'Run the same command with --resume',
  fence: 0,
  pause: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
};
