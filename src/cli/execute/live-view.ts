import type pc from 'picocolors';
import type { Subscriber } from '../../engine/event/event.ts';
import { seconds } from '../format/duration.ts';
import { createProgressModel, timeLeft, type Flight, type HostProgress, type RunProgress } from './progress-model.ts';

/** A terminal, as far as a view needs one. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

type Color = ReturnType<typeof pc.createColors>;

/**
 * On a terminal: a line for the run and one for each host, or for those that matter now, redrawn in place. What hosts
 * say is redacted before it is cut to the width: half a secret is not found any more.
 */
export function createLiveView(
  screen: Screen,
  color: Color,
  title: string,
  redact: (text: string) => string,
): Disposable & { readonly subscriber: Subscriber; aside(write: () => void): void } {
  const model = createProgressModel();
  const begun = Date.now();
  let drawn = 0;
  const draw = () => {
    const now = Date.now();
    const run = model.now();
    const lines = run.startedAt === 0 ? [waiting(title, now - begun, screen)] : renderRun(run, now, screen, color);
    // Synchronized output: the terminal shows the whole picture at once, without flicker.
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
      model.take(event.type === 'said' ? { ...event, line: redact(event.line) } : event);
      if (event.type === 'run-started') draw();
    },
    aside: (write) => {
      clear();
      write();
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clear();
    },
  };
}

/** From the first column: the terminal may have echoed ^C. */
const erase = (lines: number) => (lines === 0 ? '' : `\r\x1b[${lines}A\x1b[J`);

const waiting = (title: string, ms: number, { columns }: Screen) =>
  `${title}  reaching the hosts and locking the cluster  ${seconds(ms)}`.slice(0, columns - 1);

/** The picture at one moment: no more lines than there is room for, none longer than the terminal is wide. */
export function renderRun(
  run: RunProgress,
  now: number,
  { columns, rows }: Pick<Screen, 'columns' | 'rows'>,
  color: Color,
): string[] {
  const elapsed = now - run.startedAt;
  const room = Math.max(1, rows - 3);
  const hosts = run.hosts.length <= room ? run.hosts : busiest(run.hosts, now);
  const shown = hosts.slice(0, room);
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  const steps = Math.max(0, ...shown.map(({ total }) => String(total).length));
  const more = hosts.length > room ? [color.dim(`… and ${hosts.length - room} more hosts`)] : [];
  return [
    headLine(run, elapsed, columns, color),
    ...shown.map((host) => hostLine(host, now, elapsed, { width, steps, columns }, color)),
    ...more,
  ];
}

/** Those that do something or are in trouble; what takes longest first. */
const busiest = (hosts: readonly HostProgress[], now: number) =>
  hosts
    .filter(({ flights, state }) => flights.size > 0 || state !== 'going')
    .sort((a, b) => longest(b, now) - longest(a, now));

function headLine(run: RunProgress, elapsed: number, columns: number, color: Color): string {
  const { failed, undone } = run;
  const good = `${run.pipeline}  ${bar(run)}  ${run.through}/${run.total}${left(run, elapsed)}`;
  const bad = `${failed > 0 ? `  ${failed} failed` : ''}${undone > 0 ? `  ${undone} undone` : ''}`;
  const room = columns - 1;
  return color.bold(good.slice(0, room)) + color.red(bad.slice(0, Math.max(0, room - good.length)));
}

function hostLine(
  host: HostProgress,
  now: number,
  elapsed: number,
  { width, steps, columns }: { readonly width: number; readonly steps: number; readonly columns: number },
  color: Color,
): string {
  const [flight] = [...host.flights.values()].sort((a, b) => a.since - b.since);
  const count = `${String(host.through).padStart(steps)}/${host.total}`;
  const start = `  ${host.name.padEnd(width)}  ${bar(host)}  ${count}`;
  const what = flight ? `${left(host, elapsed)}  ${doing(flight, now)}` : `  ${resting(host)}`;
  const line = `${start}${what}`.slice(0, columns - 1);
  if (host.state === 'failed') return color.red(line);
  if (host.state === 'aside' || (flight && isQuiet(flight, now))) return color.yellow(line);
  return host.through === host.total ? color.green(line) : line;
}

function resting({ state, through, total }: HostProgress): string {
  if (state === 'aside') return 'set aside';
  if (state === 'failed') return 'failed';
  return through === total ? 'through' : 'waiting';
}

/** What it does, and for how long; of one that hangs also what was heard of it last. */
function doing(flight: Flight, now: number): string {
  const quiet = isQuiet(flight, now) ? `  silent for ${seconds(now - flight.lastAt)}` : '';
  return `${flight.step} ${seconds(now - flight.since)}${quiet}${flight.last ? `  ${flight.last}` : ''}`;
}

/** Long enough without a word that a person wonders whether it hangs. */
export const isQuiet = ({ lastAt }: Flight, now: number) => now - lastAt > 30_000;

const longest = ({ flights }: HostProgress, now: number) =>
  Math.max(0, ...[...flights.values()].map(({ since }) => now - since));

const left = (of: Pick<HostProgress, 'total' | 'through'>, elapsed: number) => {
  const ms = timeLeft(of, elapsed);
  return ms === undefined ? '' : `  about ${seconds(ms)} left`;
};

const bar = ({ through, total }: Pick<HostProgress, 'total' | 'through'>) => {
  const filled = total === 0 ? 0 : Math.round((through / total) * BAR);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
};
const BAR = 16;
