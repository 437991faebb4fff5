import type pc from 'picocolors';
import type { Failure, HostProgress, RunDescription } from '../../runtime/history/describe-run.ts';
import type { RunStatus } from '../../runtime/history/read-run.ts';
import { isResumable, runJson, statisticsOf } from './run-json.ts';
import { shortList } from './text.ts';
import { elapsed, localTime } from './time.ts';

type Color = ReturnType<typeof pc.createColors>;

/** Returns the output of `describe run -o json`. Field names never change. */
export const runDescriptionJson = ({ run, plan, hosts, failures, undone, notUndone, slowest }: RunDescription) => ({
  ...runJson(run),
  plan: plan.split('\n'),
  progress: hosts,
  failures,
  undone,
  notUndone,
  slowest: slowest.map(({ node, ms }) => ({ node, ms })),
  log: run.paths.log,
});

/** Returns a run as text: user, command, progress, failures and how to resume it. */
export function runDescriptionText(description: RunDescription, color: Color): string {
  const { run, failures, undone, notUndone, slowest } = description;
  const line = (label: string, text: string) => (text ? [`${color.dim(label.padEnd(LABEL))} ${text}`] : []);
  return [
    ...headLines(description, color, line),
    '',
    ...hostLines(description.hosts, color),
    ...(failures.length > 0 ? ['', ...failureLines(failures, color)] : []),
    '',
    ...line('Rolled back', shortList(undone)),
    ...line('Kept', shortList(notUndone.map(({ node, message }) => `${node} (${message})`))),
    ...line(
      'Slowest',
      slowest.map(({ node, ms }) => `${node.slice(node.lastIndexOf('/') + 1)} ${elapsed(ms)}`).join(', '),
    ),
    ...line('Resume', isResumable(run) ? (run.info?.goOn ?? 'run the same command with --resume') : ''),
    ...line('Log', run.paths.log),
  ].join('\n');
}

function headLines(
  { run, plan }: RunDescription,
  color: Color,
  line: (label: string, text: string) => string[],
): string[] {
  const { info, started, resumed, status } = run;
  const { durationMs, counts, total } = statisticsOf(run);
  const [title = run.pipeline, ...more] = plan.split('\n').filter(Boolean);
  const lasted = status === 'running' ? `running for ${elapsed(durationMs)}` : `took ${elapsed(durationMs)}`;
  const steps = [`${counts.done} changed`, `${counts.skipped} unchanged`, `${counts.failed} failed`, `${total} total`];
  return [
    ...line('Run', color.bold(run.id)),
    ...line('Cluster', run.cluster),
    ...line('Command', info?.line ?? ''),
    ...line('By', info ? `${info.owner}, process ${info.pid}, kubexm ${info.version}` : ''),
    ...line('Started', `${localTime(started)}${resumed.length === 0 ? `, ${lasted}` : ''}`),
    ...resumed.flatMap((at, index) =>
      line('Resumed', `${localTime(at)}${index === resumed.length - 1 ? `, ${lasted}` : ''}`),
    ),
    ...line('Outcome', `${outcomeText(status, color)}: ${steps.join(', ')}`),
    ...line('Plan', title || run.pipeline),
    ...(more.length > PLAN ? [...more.slice(0, PLAN), `… ${more.length - PLAN} more lines`] : more).map(
      (text) => `${' '.repeat(LABEL + 1)}${text}`,
    ),
  ];
}

const LABEL = 11;
const PLAN = 30;

/** Lists hosts with problems first. */
function hostLines(hosts: readonly HostProgress[], color: Color): string[] {
  const order = ['failed', 'aside', 'undone', 'going', 'done'];
  const sorted = [...hosts].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const width = Math.max(4, ...hosts.map(({ host }) => host.length));
  const shown = sorted.slice(0, HOSTS).map(({ host, total, through, begun, state }) => {
    const steps = `${through}/${total}`.padStart(9);
    const text = `${host.padEnd(width)}  ${steps}  ${STATE[state]}${begun.length > 0 ? `, in progress: ${begun.join(', ')}` : ''}`;
    return state === 'failed' ? color.red(text) : state === 'aside' ? color.yellow(text) : text;
  });
  const rest = sorted.length - shown.length;
  return [
    color.dim(`${'HOST'.padEnd(width)}      STEPS  STATE`),
    ...shown,
    ...(rest > 0 ? [color.dim(`… and ${rest} more hosts`)] : []),
  ];
}

const HOSTS = 40;
const STATE = {
  done: 'done',
  going: 'unfinished',
  failed: 'failed',
  aside: 'quarantined',
  undone: 'rolled back',
} as const;

function failureLines(failures: readonly Failure[], color: Color): string[] {
  const shown = failures.slice(0, FAILURES).flatMap(({ type, step, host, code, message, hint }) => [
    type === 'failed'
      ? `${color.red('x')} ${color.bold(`${step} failed on ${host}`)}`
      : `${color.yellow('!')} ${color.bold(`${host} was quarantined at ${step}`)}`,
    ...message
      .replace(/^(failed|quarantined|set aside): /, '')
      .split('\n')
      .map((line) => `    ${line}`),
    ...(hint ? [`    ${color.dim('Try ')}   ${hint}`] : []),
    `    ${color.dim('Code')}   ${code}`,
  ]);
  const rest = failures.length - FAILURES;
  return rest > 0 ? [...shown, color.dim(`… and ${rest} more`)] : shown;
}

const FAILURES = 10;

/** Returns the outcome of a run, in color. */
export function outcomeText(status: RunStatus, color: Color): string {
  switch (status) {
    case 'done':
      return color.green('done');
    case 'running':
      return color.cyan('running');
    case 'failed':
    case 'damaged':
      return color.red(status);
    case 'died':
      return color.red('died (resume)');
    case 'partial':
    case 'interrupted':
      return color.yellow(status);
  }
}
