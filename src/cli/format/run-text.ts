import type pc from 'picocolors';
import type { Failure, HostStory, RunStory } from '../../runtime/history/describe-run.ts';
import { localTime, took } from './duration.ts';
import { few } from './few.ts';
import { outcomeText } from './run-outcome.ts';
import { isOpen, numbersOf, runJson } from './run-json.ts';

type Color = ReturnType<typeof pc.createColors>;

/** What `describe run -o json` has. */
export const storyJson = ({ run, plan, hosts, failures, undone, notUndone, slowest }: RunStory) => ({
  ...runJson(run),
  plan: plan.split('\n'),
  progress: hosts,
  failures,
  undone,
  notUndone,
  slowest: slowest.map(({ node, ms }) => ({ node, ms })),
  log: run.paths.log,
});

/** A run for people: what it was, how far it came, what went wrong, how to go on. */
export function storyText(story: RunStory, color: Color): string {
  const { run, failures, undone, notUndone, slowest } = story;
  const line = (label: string, text: string) => (text ? [`${color.dim(label.padEnd(9))} ${text}`] : []);
  return [
    ...headLines(story, color, line),
    '',
    ...hostLines(story.hosts, color),
    ...(failures.length > 0 ? ['', ...failureLines(failures, color)] : []),
    '',
    ...line('Undone', few(undone)),
    ...line('Kept', few(notUndone.map(({ node, message }) => `${node} (${message})`))),
    ...line(
      'Slowest',
      slowest.map(({ node, ms }) => `${node.slice(node.lastIndexOf('/') + 1)} ${took(ms)}`).join(', '),
    ),
    ...line('Go on', isOpen(run) ? (run.info?.goOn ?? 'the same command with --resume') : ''),
    ...line('Log', run.paths.log),
  ].join('\n');
}

function headLines({ run, plan }: RunStory, color: Color, line: (label: string, text: string) => string[]): string[] {
  const { info, started, resumed, status } = run;
  const { durationMs, counts, total } = numbersOf(run);
  const [title = run.pipeline, ...more] = plan.split('\n').filter(Boolean);
  const lasted = status === 'running' ? `under way for ${took(durationMs)}` : `took ${took(durationMs)}`;
  const did = [`${counts.done} done`, `${counts.skipped} already so`, `${counts.failed} failed`, `${total} in all`];
  return [
    ...line('Run', color.bold(run.id)),
    ...line('Cluster', run.cluster),
    ...line('Command', info?.line ?? ''),
    ...line('By', info ? `${info.owner}, process ${info.pid}, kubexm ${info.version}` : ''),
    ...line('Started', `${localTime(started)}${resumed.length === 0 ? `, ${lasted}` : ''}`),
    ...resumed.flatMap((at, index) =>
      line('Went on', `${localTime(at)}${index === resumed.length - 1 ? `, ${lasted}` : ''}`),
    ),
    ...line('Outcome', `${outcomeText(status, color)}: ${did.join(', ')}`),
    ...line('Plan', title || run.pipeline),
    ...(more.length > PLAN ? [...more.slice(0, PLAN), `… ${more.length - PLAN} more lines`] : more).map(
      (text) => `${' '.repeat(10)}${text}`,
    ),
  ];
}

const PLAN = 30;

/** Those that need a look first. */
function hostLines(hosts: readonly HostStory[], color: Color): string[] {
  const order = ['failed', 'aside', 'undone', 'going', 'done'];
  const sorted = [...hosts].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const width = Math.max(4, ...hosts.map(({ host }) => host.length));
  const shown = sorted.slice(0, HOSTS).map(({ host, total, through, begun, state }) => {
    const steps = `${through}/${total}`.padStart(9);
    const text = `${host.padEnd(width)}  ${steps}  ${STATE[state]}${begun.length > 0 ? `, in the middle of ${begun.join(', ')}` : ''}`;
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
const STATE = { done: 'done', going: 'not through', failed: 'failed', aside: 'set aside', undone: 'undone' } as const;

function failureLines(failures: readonly Failure[], color: Color): string[] {
  const shown = failures.slice(0, FAILURES).flatMap(({ type, step, host, code, message, hint }) => [
    type === 'failed'
      ? `${color.red('x')} ${color.bold(`${step} failed on ${host}`)}`
      : `${color.yellow('!')} ${color.bold(`${host} was set aside at ${step}`)}`,
    ...message
      .replace(/^(failed|set aside): /, '')
      .split('\n')
      .map((line) => `    ${line}`),
    ...(hint ? [`    ${color.dim('Try ')}   ${hint}`] : []),
    `    ${color.dim('Code')}   ${code}`,
  ]);
  const rest = failures.length - FAILURES;
  return rest > 0 ? [...shown, color.dim(`… and ${rest} more`)] : shown;
}

const FAILURES = 10;
