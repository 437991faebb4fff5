import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../common/host.ts';
import { nodesOf, type ExecutionGraph, type PlanNode } from '../plan/graph.ts';
import type { StepContext } from '../step/step.ts';
import { attempt } from './attempt.ts';
import { decide } from './decide.ts';
import { createDeadlines, type Deadlines } from './deadlines.ts';
import { resultOf } from './ending.ts';
import type { RunInfo, Subscriber } from './event.ts';
import type { Journal } from './journal.ts';
import type { JournalRecord } from './record.ts';
import type { RunResult } from './result.ts';
import { undo } from './rollback.ts';
import { applyRecord, newRunState, type RunState } from './run-state.ts';
import type { ChangeLog } from './run-step.ts';
import { schedule, type Limits } from './schedule.ts';
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
  readonly limits?: Partial<Limits>;
  readonly stop?: Stop;
  /** Undo a task that failed. On unless it is switched off. */
  readonly rollback?: boolean;
  /** Changes when a host was started anew; then nothing is taken for granted there. */
  readonly bootId?: (host: Host) => string | undefined;
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
  /** Hosts that were started anew since the journal last saw them. */
  readonly rebooted: ReadonlySet<string>;
}

/** Runs every node once all it waits for is through; then undoes the tasks that failed, and says how it ended. */
export async function execute(graph: ExecutionGraph, options: EngineOptions): Promise<RunResult> {
  const started = Date.now();
  const limits = { total: 1000, perHost: 1, ...options.limits };
  const execution = begin(graph, options);
  const { journal, info, report, tally, stop } = execution;
  report({ type: 'run-started', run: info, at: started });
  await journal.saved();
  await schedule(graph.vertices, limits, {
    decide: (node, blocked) => decide(execution, node, blocked),
    run: (node) => attempt(execution, node),
  });
  const undoing = execution.rollback && tally.failedTasks.size > 0 && !journal.broken && !stop.hard.aborted;
  const undone = undoing ? await undo(execution, limits) : undefined;
  const result = resultOf(execution, undone);
  execution.record({ type: 'ended', outcome: result.outcome, at: new Date().toISOString() });
  await journal.saved().catch(() => {});
  const at = Date.now();
  report({ type: 'run-ended', run: info, at, outcome: result.outcome, durationMs: at - started });
  return result;
}

function begin(graph: ExecutionGraph, options: EngineOptions): Execution {
  const { journal, state = newRunState(), stop = createStop(), fence = 0, bootId = () => undefined } = options;
  const nodes = nodesOf(graph);
  const hosts = new Map(nodes.map(({ host }) => [host.name, host]));
  const info = { ...options.run, pipeline: graph.name, steps: nodes.length, hosts: stepsByHost(nodes) };
  const record = (record: JournalRecord) => {
    applyRecord(state, record);
    journal.append(record);
  };
  const type = options.state ? 'resumed' : 'begun';
  record({ type, run: info.id, pipeline: graph.name, at: new Date().toISOString(), fence });
  const rebooted = new Set<string>();
  for (const host of hosts.values()) {
    const boot = bootId(host);
    const known = state.boots.get(host.name);
    if (boot === undefined || boot === known) continue;
    if (known !== undefined) rebooted.add(host.name);
    record({ type: 'host', host: host.name, boot });
  }
  const deadlines = createDeadlines(stop, options.graceMs ?? 10_000);
  const changes = changeLog(state, journal, record);
  const shared = { state, stop, fence, bootId, graph, info, record, rebooted, deadlines, changes };
  return { ...DEFAULTS, ...options, ...shared, tally: createTally() };
}

const changeLog = (state: RunState, journal: Journal, record: Execution['record']): ChangeLog => ({
  knows: (node, part, summary) =>
    state.nodes.get(node)?.changes.some((change) => change.part === part && change.summary === summary) ?? false,
  write: (node, part, summary, before) => {
    record({ type: 'change', node, part, summary, ...(before !== undefined && { before }) });
    return journal.saved();
  },
});

function stepsByHost(nodes: readonly PlanNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of nodes) counts.set(host.name, (counts.get(host.name) ?? 0) + 1);
  return counts;
}

const DEFAULTS = {
  report: () => {},
  rollback: true,
  maxSetAside: Infinity,
  goOn: 'Run the same command with --resume',
  pause: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
};
