import type pc from 'picocolors';
import { sanitize } from '../../common/sanitize.ts';
import type { Subscriber } from '../../engine/event/event.ts';
import { bar } from '../format/progress.ts';
import { duration } from '../format/time.ts';
import {
  createProgressModel,
  isQuiet,
  timeLeft,
  type HostProgress,
  type RunningStep,
  type RunProgress,
} from './progress-model.ts';

/** The terminal features that the view uses. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

type Color = ReturnType<typeof pc.createColors>;

/**
 * Redraws one line for the run and one line per host in place. Shows only busy hosts if there are more hosts than rows.
 * Sanitizes output before truncating it to the terminal width, because a truncated secret would not be recognized.
 */
export function createLiveView(
  screen: Screen,
  color: Color,
  title: string,
): Disposable & { readonly subscriber: Subscriber; interject(write: () => void): void } {
  const model = createProgressModel();
  const openedAt = Date.now();
  let drawn = 0;
  const draw = () => {
    const now = Date.now();
    const run = model.now();
    const lines =
      run.startedAt === 0 ? [preparing(title, now - openedAt, screen)] : renderRun(run, now, screen, color, title);
    // Synchronized output (terminal mode 2026) avoids flicker.
    screen.write(`\x1b[?2026h${erase(drawn)}${lines.map((line) => `${line}\n`).join('')}\x1b[?2026l`);
    drawn = lines.length;
  };
  const clear = () => {
    screen.write(erase(drawn));
    drawn = 0;
  };
  const timer = setInterval(draw, 100).unref();
  return {
    subscriber: (event) => {
      model.add(event.type === 'said' ? { ...event, line: sanitize(event.line) } : event);
      if (event.type === 'run-started') draw();
    },
    interject: (write) => {
      clear();
      write();
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clear();
    },
  };
}

/** Erases from the first column, because the terminal may have echoed ^C. */
const erase = (lines: number) => (lines === 0 ? '' : `\r\x1b[${lines}A\x1b[J`);

const preparing = (title: string, ms: number, { columns }: Screen) =>
  `${title}  connecting to the hosts and locking the cluster  ${duration(ms)}`.slice(0, columns - 1);

/** Returns the lines of one frame, truncated to the terminal size. */
export function renderRun(
  run: RunProgress,
  now: number,
  { columns, rows }: Pick<Screen, 'columns' | 'rows'>,
  color: Color,
  title = run.pipeline,
): string[] {
  const elapsed = now - run.startedAt;
  const room = Math.max(1, rows - 3);
  const hosts = run.hosts.length <= room ? run.hosts : busyHosts(run.hosts, now);
  const shown = hosts.slice(0, room);
  const nameWidth = Math.max(0, ...shown.map(({ name }) => name.length));
  const countWidth = Math.max(0, ...shown.map(({ total }) => String(total).length));
  const more = hosts.length > room ? [color.dim(`… and ${hosts.length - room} more hosts`)] : [];
  return [
    runLine(title, run, elapsed, columns, color),
    ...shown.map((host) => hostLine(host, now, elapsed, { nameWidth, countWidth, columns }, color)),
    ...more,
  ];
}

/** Returns hosts with a running step or a failure, longest-running step first. */
const busyHosts = (hosts: readonly HostProgress[], now: number) =>
  hosts
    .filter(({ running, state }) => running.size > 0 || state !== 'running')
    .sort((a, b) => longestStep(b, now) - longestStep(a, now));

const longestStep = ({ running }: HostProgress, now: number) =>
  Math.max(0, ...[...running.values()].map(({ since }) => now - since));

function runLine(title: string, run: RunProgress, elapsed: number, columns: number, color: Color): string {
  const { failed, rolledBack } = run;
  const progress = `${title}  ${progressBar(run)}  ${run.finished}/${run.total}${remaining(run, elapsed)}`;
  const problems = `${failed > 0 ? `  ${failed} failed` : ''}${rolledBack > 0 ? `  ${rolledBack} rolled back` : ''}`;
  const room = columns - 1;
  return color.bold(progress.slice(0, room)) + color.red(problems.slice(0, Math.max(0, room - progress.length)));
}

interface Widths {
  readonly nameWidth: number;
  readonly countWidth: number;
  readonly columns: number;
}

function hostLine(
  host: HostProgress,
  now: number,
  elapsed: number,
  { nameWidth, countWidth, columns }: Widths,
  color: Color,
): string {
  const [oldest] = [...host.running.values()].sort((a, b) => a.since - b.since);
  const count = `${String(host.finished).padStart(countWidth)}/${host.total}`;
  const start = `  ${host.name.padEnd(nameWidth)}  ${progressBar(host)}  ${count}`;
  const activity = oldest ? `${remaining(host, elapsed)}  ${stepText(oldest, now)}` : `  ${idleText(host)}`;
  const line = cut(`${start}${activity}`, columns - 1);
  if (host.state === 'failed') return color.red(line);
  if (host.state === 'quarantined' || (oldest && isQuiet(oldest, now))) return color.yellow(line);
  return host.finished === host.total ? color.green(line) : line;
}

function idleText({ state, finished, total }: HostProgress): string {
  if (state !== 'running') return state;
  return finished === total ? 'done' : 'waiting';
}

/** Returns the step name, its running time, and its last output line or the title of its task. */
function stepText(running: RunningStep, now: number): string {
  const quiet = isQuiet(running, now) ? `  no output for ${duration(now - running.lastLineAt)}` : '';
  const details = oneLine(running.lastLine) || running.task;
  return `${running.step} ${duration(now - running.since)}${quiet}${details && `  ${details}`}`;
}

/** Replaces tabs and newlines, which would break the layout of the frame. */
const oneLine = (text: string) => sanitize(text).replaceAll(/\s+/g, ' ').trim();

/** Truncates a text to a number of columns. East Asian characters and emoji take two columns. */
function cut(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += WIDE.test(character) ? 2 : 1;
    if (used > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const remaining = (progress: Pick<HostProgress, 'total' | 'finished'>, elapsed: number) => {
  const ms = timeLeft(progress, elapsed);
  return ms === undefined ? '' : `  about ${duration(ms)} left`;
};

const progressBar = ({ finished, total }: Pick<HostProgress, 'total' | 'finished'>) =>
  bar(total === 0 ? 0 : finished / total, 16);
