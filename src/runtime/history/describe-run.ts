import { readFile } from 'node:fs/promises';
import type { LogRecord } from '../../engine/event/json-log.ts';
import { readLog } from './read-log.ts';
import type { RunRecord, StepRecord } from './read-run.ts';

/** Why a step failed, or a host was set aside. */
export interface Failure {
  readonly host: string;
  readonly step: string;
  /** "infrastructure/prepare-os/os.sysctl@node1" */
  readonly node: string;
  readonly type: 'failed' | 'aside';
  readonly code: string;
  /** What the log says of it; empty when there is none. */
  readonly message: string;
  readonly hint: string;
}

/** How far a run came on one host. */
export interface HostStory {
  readonly host: string;
  readonly total: number;
  readonly through: number;
  /** Steps begun without an end. */
  readonly begun: readonly string[];
  readonly state: 'done' | 'going' | 'failed' | 'aside' | 'undone';
}

/** All that is known of one run. */
export interface RunStory {
  readonly run: RunRecord;
  /** As it was drawn when it began. */
  readonly plan: string;
  readonly hosts: readonly HostStory[];
  readonly failures: readonly Failure[];
  readonly undone: readonly string[];
  /** What should have been put back and was not, with why. */
  readonly notUndone: readonly { readonly node: string; readonly message: string }[];
  readonly slowest: readonly { readonly node: string; readonly ms: number }[];
}

/** Puts together what the journal, the plan and the log of a run say. */
export async function tellRun(run: RunRecord): Promise<RunStory> {
  const records = await lastPart(run);
  const of = (type: LogRecord['event']) => records.filter(({ event }) => event === type);
  return {
    run,
    plan: (await readFile(run.paths.plan, 'utf8').catch(() => '')).trimEnd(),
    hosts: hostsOf(run),
    failures: run.steps.flatMap((step) => failureOf(step, records)),
    undone: run.steps
      .filter(({ node, status }) => status === 'undone' || of('rolled-back').some(isOf(node)))
      .map(({ node }) => node),
    notUndone: of('rollback-failed').map((record) => ({ node: nodeOf(record), message: record.message })),
    slowest: run.steps
      .filter(({ ms }) => ms > 0)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 5),
  };
}

/** Of a run that went on, what it said before is history. Output lines of steps are not needed here. */
async function lastPart({ paths }: RunRecord): Promise<readonly LogRecord[]> {
  let records: LogRecord[] = [];
  for await (const record of readLog(paths.log)) {
    if (record.event === 'run-started') records = [];
    if (KEPT.has(record.event)) records.push(record);
  }
  return records;
}

const KEPT: ReadonlySet<LogRecord['event']> = new Set(['failed', 'quarantined', 'rolled-back', 'rollback-failed']);

function hostsOf({ info, steps }: RunRecord): readonly HostStory[] {
  const byHost = new Map<string, StepRecord[]>(Object.keys(info?.hosts ?? {}).map((host) => [host, []]));
  for (const step of steps) byHost.set(step.host, [...(byHost.get(step.host) ?? []), step]);
  return [...byHost].map(([host, own]) => {
    const through = own.filter(({ status }) => status === 'done' || status === 'skipped').length;
    const total = info?.hosts[host] ?? own.length;
    const begun = own.filter(({ status }) => status === 'begun').map(({ node }) => stepOf(node));
    const has = (wanted: StepRecord['status']) => own.some(({ status }) => status === wanted);
    const trouble = (['failed', 'aside', 'undone'] as const).find(has);
    const state = trouble ?? (through >= total ? 'done' : 'going');
    return { host, total, through, begun, state };
  });
}

function failureOf({ node, host, status: type, code }: StepRecord, records: readonly LogRecord[]): readonly Failure[] {
  if (type !== 'failed' && type !== 'aside') return [];
  const told = records.findLast(
    (record) => (record.event === 'failed' || record.event === 'quarantined') && isOf(node)(record),
  );
  return [{ host, step: stepOf(node), node, type, code, message: told?.message ?? '', hint: told?.hint ?? '' }];
}

const stepOf = (node: string) => node.slice(node.lastIndexOf('/') + 1, node.lastIndexOf('@'));

/** A log has the module and the task, not the whole path between them. */
const nodeOf = ({ module, task, step, node }: LogRecord) =>
  `${[...new Set([module, task])].filter(Boolean).join('/')}/${step}@${node}`;
const isOf = (node: string) => (record: LogRecord) =>
  node.endsWith(`${record.task ? `${record.task}/` : ''}${record.step}@${record.node}`);
