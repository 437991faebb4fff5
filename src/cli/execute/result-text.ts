import type pc from 'picocolors';
import { KubexmError } from '../../common/errors/errors.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Cause, Summary } from '../../engine/summary.ts';
import { took } from '../format/duration.ts';
import { wrap } from '../format/error-text.ts';
import { few } from '../format/few.ts';

/** How and where the end of a run is told. */
export interface ResultStyle {
  readonly color: ReturnType<typeof pc.createColors>;
  readonly columns?: number | undefined;
  /** Where the log is. */
  readonly log?: string;
}

/** The end of a run for people: causes first, then the state of things, then how to go on. */
export function resultText(result: RunResult, summary: Summary, style: ResultStyle): string {
  const { outcome, error, counts } = result;
  const causes = [...(error === undefined ? [] : [fatal(error)]), ...summary.causes().map(reasonOf)];
  if (outcome === 'done') return [doneLine(result, summary, style), ...slowestLine(summary, style)].join('\n');
  const [only] = causes.length === 1 ? causes : [];
  return [
    ...causes.flatMap((cause) => [...causeLines(cause, style), ...(only ? [] : [...adviceLines(cause, style), ''])]),
    ...(only ? [] : [`${mark(outcome, style)} ${style.color.bold(headOf(result, summary))}`, '']),
    ...(only ? label('Try', only.hint, style) : []),
    ...stateLines(result, style),
    ...label('Done', `${counts.done} done, ${counts.skipped} already so, in ${took(summary.durationMs)}`, style),
    ...slowestLine(summary, style),
    ...label('Go on', result.rollback.goOn, style),
    ...(only ? label('Code', only.code, style) : []),
    ...label('Log', style.log ?? '', style),
  ].join('\n');
}

function doneLine({ counts }: RunResult, { durationMs }: Summary, { color }: ResultStyle): string {
  const did =
    counts.done === 0
      ? `Nothing to do: ${counts.skipped} ${counts.skipped === 1 ? 'step was' : 'steps were'} already so (${took(durationMs)}).`
      : `Done in ${took(durationMs)}: ${counts.done} done, ${counts.skipped} already so.`;
  return `${color.green('✓')} ${did}`;
}

/** Why something did not go well, in the words for people. */
interface Reason {
  readonly type: 'failed' | 'quarantined';
  readonly title: string;
  readonly text: string;
  readonly hint: string;
  readonly code: string;
}

function reasonOf({ type, text, steps, hosts, error }: Cause): Reason {
  const [host] = hosts;
  const where =
    host && hosts.length === 1
      ? `${host.name} (${host.address})`
      : few(
          hosts.map(({ name }) => name),
          5,
        );
  const title =
    type === 'failed' ? `${steps.join(', ')} failed on ${where}` : `${where} set aside at ${steps.join(', ')}`;
  return { type, title, ...wordsOf(error, text) };
}

function fatal(error: unknown): Reason {
  const title = error instanceof KubexmError ? error.report.title : 'The run ended early';
  return {
    type: 'failed',
    title,
    ...wordsOf(error, String(error)),
    ...(error instanceof KubexmError && { text: error.report.message }),
  };
}

/** The title of a failed command would only say again that it failed. */
function wordsOf(error: unknown, text: string): Pick<Reason, 'text' | 'hint' | 'code'> {
  if (!(error instanceof KubexmError))
    return { text, hint: 'Report this with the log: it is a defect.', code: 'INTERNAL' };
  const { code, report } = error;
  return { text: code === 'COMMAND_FAILED' ? report.message : text, hint: report.hint, code };
}

const causeLines = ({ type, title, text }: Reason, style: ResultStyle): string[] => [
  `${type === 'failed' ? style.color.red('x') : style.color.yellow('!')} ${style.color.bold(title)}`,
  '',
  ...text
    .trimEnd()
    .split('\n')
    .map((line) => wrap(`  ${line}`, style.columns ?? Infinity)),
  '',
];

const adviceLines = ({ hint, code }: Reason, style: ResultStyle): string[] => [
  ...label('Try', hint, style),
  ...label('Code', code, style),
];

const mark = (outcome: RunResult['outcome'], { color }: ResultStyle) =>
  outcome === 'failed' ? color.red('x') : color.yellow('!');

function headOf({ outcome, setAside }: RunResult, { durationMs }: Summary): string {
  switch (outcome) {
    case 'done':
      return 'Done';
    case 'partial':
      return `Done, but for ${few(setAside.map(({ host }) => host))}`;
    case 'failed':
      return `Failed after ${took(durationMs)}`;
    case 'interrupted':
      return `Stopped after ${took(durationMs)}`;
  }
}

function stateLines({ outcome, rollback, counts, setAside }: RunResult, style: ResultStyle): string[] {
  const { undone, notUndone, inFlight, notStarted } = rollback;
  const steps = (count: number) => `${count} ${count === 1 ? 'step' : 'steps'}`;
  const leftOut = `${steps(counts.quarantined)} on ${few(setAside.map(({ host }) => host))}`;
  const state = [
    undone.length > 0 && `${undoneText(undone)}.`,
    notStarted.length > 0 && `${steps(notStarted.length)} did not start.`,
    setAside.length > 0 && (outcome === 'partial' ? `All is done but ${leftOut}.` : `Not done: ${leftOut}.`),
  ].filter(Boolean);
  return [
    ...label('State', state.join(' '), style),
    ...label('Cut off', few(inFlight), style),
    ...label('Kept', few(notUndone.map(({ node, reason }) => `${node} (${reason})`)), style),
  ];
}

/** "Task install-etcd was undone on node1, node2" */
function undoneText(undone: readonly string[]): string {
  const tasks = new Map<string, Set<string>>();
  for (const node of undone) {
    const [, task = '', host = ''] = /([^/]+)\/[^/]+@([^@]+)$/.exec(node) ?? [];
    tasks.set(task, (tasks.get(task) ?? new Set()).add(host));
  }
  return [...tasks].map(([task, hosts]) => `Task ${task} was undone on ${few([...hosts].sort(byName))}`).join('. ');
}

const byName = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });

const slowestLine = (summary: Summary, style: ResultStyle) =>
  label(
    'Slowest',
    summary
      .slowest()
      .filter(({ ms }) => ms >= 1000)
      .slice(0, 3)
      .map(({ step, host, ms }) => `${step}@${host} ${took(ms)}`)
      .join(', '),
    style,
  );

/** Nothing for an empty text. What is pasted is not broken into lines. */
function label(name: string, text: string, { color, columns = Infinity }: ResultStyle): string[] {
  if (!text) return [];
  const [first = '', ...more] = PASTED.has(name) ? [text] : wrap(text, columns - INDENT).split('\n');
  return [`  ${color.dim(name.padEnd(7))} ${first}`, ...more.map((line) => `${' '.repeat(INDENT)}${line.trimStart()}`)];
}

const INDENT = 10;
const PASTED: ReadonlySet<string> = new Set(['Try', 'Go on', 'Log']);
