import type pc from 'picocolors';
import { KubexmError } from '../../common/errors/errors.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Cause, Summary } from '../../engine/summary.ts';
import { wrap } from '../format/error-text.ts';
import { count, shortList } from '../format/text.ts';
import { elapsed } from '../format/time.ts';

/** Output settings for the result of a run. */
export interface ResultStyle {
  readonly color: ReturnType<typeof pc.createColors>;
  readonly columns?: number | undefined;
  /** Path of the log file. */
  readonly log?: string;
}

/** Returns the result of a run as text: the causes of failures, the resulting state and how to resume. */
export function resultText(result: RunResult, summary: Summary, style: ResultStyle): string {
  const { outcome, error, counts } = result;
  const causes = [
    ...(error === undefined ? [] : [fatalProblem(error)]),
    ...summary.causes().map((cause) => problemOf(cause, result)),
  ];
  if (outcome === 'done') return [doneLine(result, summary, style), ...pathLine(result, style)].join('\n');
  const [only] = causes.length === 1 ? causes : [];
  return [
    ...causes.flatMap((cause) => [...causeLines(cause, style), ...(only ? [] : [...adviceLines(cause, style), ''])]),
    ...(only ? [] : [`${mark(outcome, style)} ${style.color.bold(headOf(result, summary))}`, '']),
    ...(only ? [...label('Task', only.task, style), ...label('Try', only.hint, style)] : []),
    ...stateLines(result, style),
    ...label('Steps', `${changedText(counts)}, in ${elapsed(summary.durationMs)}`, style),
    ...slowestLine(summary, style),
    ...label('Resume', result.rollback.resumeCommand, style),
    ...(only ? label('Code', only.code, style) : []),
    ...label('Log', style.log ?? '', style),
  ].join('\n');
}

function doneLine({ counts }: RunResult, { durationMs }: Summary, { color }: ResultStyle): string {
  const text =
    counts.done === 0
      ? `Nothing to do: ${count(counts.skipped, 'step')} unchanged (${elapsed(durationMs)}).`
      : `Done in ${elapsed(durationMs)}: ${changedText(counts)}.`;
  return `${color.green('✓')} ${text}`;
}

/** Returns the number of changed and unchanged steps, such as "76 changed, 29 unchanged". */
const changedText = ({ done, skipped }: RunResult['counts']) => `${done} changed, ${skipped} unchanged`;

/** A failure or a quarantine to print. */
interface Problem {
  readonly type: 'failed' | 'quarantined';
  readonly title: string;
  /** Title and name of the task, such as "Install etcd (install-etcd)". */
  readonly task: string;
  readonly text: string;
  readonly hint: string;
  readonly code: string;
}

function problemOf({ type, text, steps, hosts, error }: Cause, { failures }: RunResult): Problem {
  const [host] = hosts;
  const where =
    host && hosts.length === 1
      ? `${host.name} (${host.address})`
      : shortList(
          hosts.map(({ name }) => name),
          5,
        );
  const title =
    type === 'failed' ? `${steps.join(', ')} failed on ${where}` : `${where} quarantined at ${steps.join(', ')}`;
  const tasks = failures.filter(({ node }) => steps.includes(node.step.name)).map(({ node }) => taskText(node.task));
  return { type, title, task: [...new Set(tasks)].join(', '), ...detailsOf(error, text) };
}

type FailedTask = RunResult['failures'][number]['node']['task'];

const taskText = ({ name, title }: FailedTask) => (title ? `${title} (${name})` : name);

function fatalProblem(error: unknown): Problem {
  const title = error instanceof KubexmError ? error.report.title : 'The run was aborted';
  return {
    type: 'failed',
    title,
    task: '',
    ...detailsOf(error, String(error)),
    ...(error instanceof KubexmError && { text: error.report.message }),
  };
}

/** Omits the title of COMMAND_FAILED, which only repeats that the step failed. */
function detailsOf(error: unknown, text: string): Pick<Problem, 'text' | 'hint' | 'code'> {
  if (!(error instanceof KubexmError))
    return { text, hint: 'This is a bug in kubexm: report it with the log.', code: 'INTERNAL' };
  const { code, report } = error;
  return { text: code === 'COMMAND_FAILED' ? report.message : text, hint: report.hint, code };
}

const causeLines = ({ type, title, text }: Problem, style: ResultStyle): string[] => [
  `${type === 'failed' ? style.color.red('x') : style.color.yellow('!')} ${style.color.bold(title)}`,
  '',
  ...text
    .trimEnd()
    .split('\n')
    .map((line) => wrap(`  ${line}`, style.columns ?? Infinity)),
  '',
];

const adviceLines = ({ task, hint, code }: Problem, style: ResultStyle): string[] => [
  ...label('Task', task, style),
  ...label('Try', hint, style),
  ...label('Code', code, style),
];

const mark = (outcome: RunResult['outcome'], { color }: ResultStyle) =>
  outcome === 'failed' ? color.red('x') : color.yellow('!');

function headOf({ outcome, quarantined }: RunResult, { durationMs }: Summary): string {
  switch (outcome) {
    case 'done':
      return 'Done';
    case 'partial':
      return `Done, except on ${shortList(quarantined.map(({ host }) => host))}`;
    case 'failed':
      return `Failed after ${elapsed(durationMs)}`;
    case 'interrupted':
      return `Interrupted after ${elapsed(durationMs)}`;
  }
}

function stateLines({ outcome, rollback, counts, quarantined }: RunResult, style: ResultStyle): string[] {
  const { undone, notUndone, inFlight, notStarted } = rollback;
  const skipped = `${count(counts.quarantined, 'step')} on ${shortList(quarantined.map(({ host }) => host))}`;
  const state = [
    undone.length > 0 && `${rolledBackText(undone)}.`,
    notStarted.length > 0 && `${count(notStarted.length, 'step')} not started.`,
    quarantined.length > 0 &&
      (outcome === 'partial' ? `Everything is done except ${skipped}.` : `Not done: ${skipped}.`),
  ].filter(Boolean);
  return [
    ...label('State', state.join(' '), style),
    ...label('Aborted', shortList(inFlight), style),
    ...label('Kept', shortList(notUndone.map(({ node, reason }) => `${node} (${reason})`)), style),
  ];
}

/** Returns the tasks that were rolled back, such as "Task install-etcd was rolled back on node1, node2". */
function rolledBackText(undone: readonly string[]): string {
  const tasks = new Map<string, Set<string>>();
  for (const node of undone) {
    const [, task = '', host = ''] = /([^/]+)\/[^/]+@([^@]+)$/.exec(node) ?? [];
    tasks.set(task, (tasks.get(task) ?? new Set()).add(host));
  }
  return [...tasks]
    .map(([task, hosts]) => `Task ${task} was rolled back on ${shortList([...hosts].sort(byName))}`)
    .join('. ');
}

const byName = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });

/**
 * Returns the longest steps of the critical path in order, such as "os.packages@node1 8.1 s > kubeadm.init@node1 12 s".
 */
function pathLine({ criticalPath }: RunResult, style: ResultStyle): string[] {
  const long = criticalPath.filter(({ ms }) => ms >= 1000);
  const shown = new Set(long.toSorted((a, b) => b.ms - a.ms).slice(0, MAX_PATH_STEPS));
  const steps = long.filter((each) => shown.has(each));
  const text = steps.map(({ node, ms }) => `${node.step.name}@${node.host.name} ${elapsed(ms)}`).join(' > ');
  return label('Path', text, style);
}

const MAX_PATH_STEPS = 6;

const slowestLine = (summary: Summary, style: ResultStyle) =>
  label(
    'Slowest',
    summary
      .slowest()
      .filter(({ ms }) => ms >= 1000)
      .slice(0, 3)
      .map(({ step, host, ms }) => `${step}@${host} ${elapsed(ms)}`)
      .join(', '),
    style,
  );

/** Returns labeled lines, or none if the text is empty. Does not wrap texts that the user copies. */
function label(name: string, text: string, { color, columns = Infinity }: ResultStyle): string[] {
  if (!text) return [];
  const [first = '', ...more] = COPIED.has(name) ? [text] : wrap(text, columns - INDENT).split('\n');
  return [`  ${color.dim(name.padEnd(7))} ${first}`, ...more.map((line) => `${' '.repeat(INDENT)}${line.trimStart()}`)];
}

const INDENT = 10;
const COPIED: ReadonlySet<string> = new Set(['Try', 'Resume', 'Log']);
