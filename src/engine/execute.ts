import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../common/host.ts';
import { nodesOf, stepsByHost, type ExecutionGraph, type PlanNode } from '../plan/graph.ts';
import type { StepContext } from '../step/contract/step.ts';
import { adaptiveLimits } from './schedule/adapt.ts';
import { attempt, isLockedOut } from './attempt/attempt.ts';
import { decide } from './attempt/decide.ts';
import { createDeadlines, type Deadlines } from './attempt/deadlines.ts';
import { resultOf } from './ending.ts';
import type { RunInfo, Subscriber } from './event/event.ts';
import { createHostRuns, type HostRun, type MetHost } from './host-run.ts';
import type { Journal } from './journal/journal.ts';
import type { JournalRecord } from './journal/record.ts';
import type { RunResult } from './result.ts';
import { undo } from './rollback.ts';
import { applyRecord, isAbout, newRunState, type RunState } from './journal/run-state.ts';
import type { ChangeLog } from './attempt/run-step.ts';
import { schedule, type Limits } from './schedule/schedule.ts';
import { createStop, type Stop } from './stop.ts';
import { createTally, type Tally } from './tally.ts';

/** What the engine needs to run a plan. It knows no Kubernetes and no SSH: the context brings the host. */
export interface EngineOptions {
  /** Names the run in events and in the journal. */
  readonly run: Pick<RunInfo, 'id' | 'cluster'>;
  readonly contextFor: ContextFor;
  readonly journal: Journal;
  /** What the journal said so far, when an earlier run goes on. */
  readonly state?: RunState;
  readonly report?: Subscriber;
  /** The total follows the load of this process unless it is given. */
  readonly limits?: Partial<Pick<Limits, 'total' | 'perHost'>>;
  readonly stop?: Stop;
  /** Undo a task that failed. On unless it is switched off. */
  readonly rollback?: boolean;
  /** Reaches a host, once; nothing is taken for granted there before, or when its boot is another one than before. */
  readonly meet?: (host: Host) => Promise<MetHost>;
  /** How long a host that was there may be away, as one is that is started anew. */
  readonly returnMs?: number;
  /** How long tries that fail may take on one host, all in all, before it is set aside. */
  readonly hostBudgetMs?: number;
  /** How many hosts may be set aside before the run as a whole ends. */
  readonly maxSetAside?: number;
  /** The command that goes on with this run. */
  readonly goOn?: string;
  /** Of the lock on the cluster. */
  readonly fence?: number;
  /** How long a step that was told to end may take to do so. */
  readonly graceMs?: number;
  /** Waits before a step is tried again. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Makes what one step on one host can see and touch. */
export type ContextFor = (
  node: PlanNode,
  signal: AbortSignal,
  say: (line: string) => void,
) => StepContext | Promise<StepContext>;

/** One run under way: what its acts share. */
export interface Execution extends Required<Omit<EngineOptions, 'run' | 'limits' | 'graceMs'>> {
  readonly graph: ExecutionGraph;
  readonly info: RunInfo;
  readonly tally: Tally;
  readonly deadlines: Deadlines;
  readonly changes: ChangeLog;
  /** Into the state and behind the others in the journal. */
  readonly record: (record: JournalRecord) => void;
  readonly hostRun: (host: Host) => HostRun;
}

/** Runs every node once all it waits for is through; then undoes the tasks that failed, and says how it ended. */
export async function execute(graph: ExecutionGraph, options: EngineOptions): Promise<RunResult> {
  const started = Date.now();
  const { total, perHost = 1 } = options.limits ?? {};
  using adaptive = adaptiveLimits(perHost);
  const limits = total === undefined ? adaptive : { total, perHost };
  const execution = begin(graph, options);
  const { journal, info, report, tally, stop } = execution;
  report({ type: 'run-started', run: info, at: started });
  await journal.saved();
  await schedule(graph.vertices, limits, {
    decide: (node, blocked) => decide(execution, node, blocked),
    run: (node, index) => attempt(execution, node, index),
  });
  const may = !journal.broken && !stop.hard.aborted && !isLockedOut(tally.fatal);
  const undoing = execution.rollback && tally.failedTasks.size > 0 && may;
  const undone = undoing ? await undo(execution, limits) : undefined;
  // What could not be written down last is as fatal as what could not be written down first.
  await journal.saved().catch(() => {});
  tally.fatal ??= journal.broken;
  const result = resultOf(execution, undone);
  execution.record({ type: 'ended', outcome: result.outcome, at: new Date().toISOString() });
  await journal.saved().catch(() => {});
  const at = Date.now();
  report({ type: 'run-ended', run: info, at, outcome: result.outcome, durationMs: at - started });
  return result;
}

function begin(graph: ExecutionGraph, options: EngineOptions): Execution {
  const { journal, state = newRunState(), stop = createStop(), fence = 0, meet } = options;
  const nodes = nodesOf(graph);
  const info = { ...options.run, pipeline: graph.name, steps: nodes.length, hosts: stepsByHost(nodes) };
  const record = (record: JournalRecord) => {
    applyRecord(state, record);
    journal.append(record);
  };
  const type = options.state ? 'resumed' : 'begun';
  record({ type, run: info.id, pipeline: graph.name, at: new Date().toISOString(), fence });
  const deadlines = createDeadlines(stop, options.graceMs ?? 10_000);
  const hostRun = createHostRuns(meet ? undefined : NEVER_REBOOTS);
  const changes = changeLog(state, journal, record, hostRun);
  const shared = { state, stop, fence, graph, info, record, hostRun, deadlines, changes };
  return { ...DEFAULTS, ...options, ...shared, tally: createTally() };
}

const changeLog = (
  state: RunState,
  journal: Journal,
  record: Execution['record'],
  hostRun: Execution['hostRun'],
): ChangeLog => ({
  knows: (node, part, position) =>
    state.nodes.get(node)?.changes.some((change) => isAbout(change, part, position)) ?? false,
  write: (node, { key, summary }, part, before) => {
    hostRun(node.host).changes += 1;
    record({ type: 'change', node: node.id, part, key, summary, ...(before !== undefined && { before }) });
    return journal.saved();
  },
});

const NEVER_REBOOTS: MetHost = Object.freeze({ bootId: () => undefined });

const DEFAULTS = {
  meet: () => Promise.resolve(NEVER_REBOOTS),
  report: () => {},
  rollback: true,
  returnMs: 120_000,
  hostBudgetMs: 600_000,
  maxSetAside: Infinity,
  goOn: 'Run the same command with --resume',
  pause: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
};
