import { readFile } from 'node:fs/promises';
import type { LogRecord } from '../../engine/event/json-log.ts';
import { readLog } from './read-log.ts';
import type { RunRecord, StepRecord } from './read-run.ts';

/** A failed step or a quarantined host. Part of the JSON output: `aside` means quarantined. */
export interface Failure {
  readonly host: string;
  readonly step: string;
  /** "infrastructure/prepare-os/os.sysctl@node1" */
  readonly node: string;
  readonly type: 'failed' | 'aside';
  readonly code: string;
  /** From the log; empty if the log has none. */
  readonly message: string;
  readonly hint: string;
}

/** The progress of a run on one host. Part of the JSON output: `aside` means quarantined, `going` that steps remain. */
export interface HostProgress {
  readonly host: string;
  readonly total: number;
  /** Completed steps. */
  readonly through: number;
  /** Started but unfinished steps. */
  readonly begun: readonly string[];
  readonly state: 'done' | 'going' | 'failed' | 'aside' | 'undone';
}

/** The details of one run. */
export interface RunDescription {
  readonly run: RunRecord;
  /** The plan outline, as of the start of the run. */
  readonly plan: string;
  readonly hosts: readonly HostProgress[];
  readonly failures: readonly Failure[];
  readonly undone: readonly string[];
  /** Steps whose rollback failed, with the reason. */
  readonly notUndone: readonly { readonly node: string; readonly message: string }[];
  readonly slowest: readonly { readonly node: string; readonly ms: number }[];
}

/** Describes a run from its journal, plan and log. */
export async function describeRun(run: RunRecord): Promise<RunDescription> {
  const records = await problemRecords(run);
  const ofType = (type: LogRecord['event']) => records.filter(({ event }) => event === type);
  return {
    run,
    plan: (await readFile(run.paths.plan, 'utf8').catch(() => '')).trimEnd(),
    hosts: hostProgress(run),
    failures: run.steps.flatMap((step) => failureOf(step, records)),
    undone: run.steps
      .filter(({ node, status }) => status === 'undone' || ofType('rolled-back').some(isAbout(node)))
      .map(({ node }) => node),
    notUndone: ofType('rollback-failed').map((record) => ({ node: nodeOf(record), message: record.message })),
    slowest: run.steps
      .filter(({ ms }) => ms > 0)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 5),
  };
}

/** Reads the failure and rollback records since the last start or resumption. */
async function problemRecords({ paths }: RunRecord): Promise<readonly LogRecord[]> {
  let records: LogRecord[] = [];
  for await (const record of readLog(paths.log)) {
    if (record.event === 'run-started') records = [];
    if (PROBLEMS.has(record.event)) records.push(record);
  }
  return records;
}

const PROBLEMS: ReadonlySet<LogRecord['event']> = new Set(['failed', 'quarantined', 'rolled-back', 'rollback-failed']);

function hostProgress({ info, steps }: RunRecord): readonly HostProgress[] {
  const byHost = new Map<string, StepRecord[]>(Object.keys(info?.hosts ?? {}).map((host) => [host, []]));
  for (const step of steps) byHost.set(step.host, [...(byHost.get(step.host) ?? []), step]);
  return [...byHost].map(([host, own]) => {
    const through = own.filter(({ status }) => status === 'done' || status === 'skipped').length;
    const total = info?.hosts[host] ?? own.length;
    const begun = own.filter(({ status }) => status === 'begun').map(({ node }) => stepOf(node));
    const has = (wanted: StepRecord['status']) => own.some(({ status }) => status === wanted);
    const problem = (['failed', 'aside', 'undone'] as const).find(has);
    const state = problem ?? (through >= total ? 'done' : 'going');
    return { host, total, through, begun, state };
  });
}

function failureOf({ node, host, status: type, code }: StepRecord, records: readonly LogRecord[]): readonly Failure[] {
  if (type !== 'failed' && type !== 'aside') return [];
  const logged = records.findLast(
    (record) => (record.event === 'failed' || record.event === 'quarantined') && isAbout(node)(record),
  );
  return [{ host, step: stepOf(node), node, type, code, message: logged?.message ?? '', hint: logged?.hint ?? '' }];
}

const stepOf = (node: string) => node.slice(node.lastIndexOf('/') + 1, node.lastIndexOf('@'));

/** Log records contain the module and the task, but not the scopes between them. */
const nodeOf = ({ module, task, step, node }: LogRecord) =>
  `${[...new Set([module, task])].filter(Boolean).join('/')}/${step}@${node}`;
const isAbout = (node: string) => (record: LogRecord) =>
  node.endsWith(`${record.task ? `${record.task}/` : ''}${record.step}@${record.node}`);
