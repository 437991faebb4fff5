import type pc from 'picocolors';
import type { Subscriber } from '../../engine/event.ts';
import { createProgressModel, timeLeft, type Flight, type HostProgress, type RunProgress } from './progress-model.ts';

/** A terminal, as far as a view needs one. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

type Color = ReturnType<typeof pc.createColors>;

/** On a terminal: a line for the run and one for each host that matters now, redrawn in place. */
export function createLiveView(screen: Screen, color: Color): Disposable & { readonly subscriber: Subscriber } {
  const model = createProgressModel();
  let drawn = 0;
  const draw = () => {
    const lines = renderRun(model.now(), Date.now(), screen, color);
    // Synchronized output: the terminal shows the whole picture at once, without flicker.
    screen.write(`\x1b[?2026h${erase(drawn)}${lines.map((line) => `${line}\n`).join('')}\x1b[?2026l`);
    drawn = lines.length;
  };
  const timer = setInterval(draw, 100).unref();
  return {
    subscriber: (event) => {
      model.take(event);
      if (event.type === 'run-started') draw();
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      screen.write(erase(drawn));
    },
  };
}

const erase = (lines: number) => (lines === 0 ? '' : `\x1b[${lines}A\x1b[J`);

/** The picture at one moment: no more lines than there is room for. */
export function renderRun(
  run: RunProgress,
  now: number,
  { columns, rows }: Pick<Screen, 'columns' | 'rows'>,
  color: Color,
): string[] {
  const elapsed = now - run.startedAt;
  const busy = run.hosts
    .filter(({ flights, state }) => flights.size > 0 || state !== 'going')
    .sort((a, b) => longest(b, now) - longest(a, now));
  const room = Math.max(1, rows - 3);
  const width = Math.max(0, ...busy.slice(0, room).map(({ name }) => name.length));
  const head = `${run.pipeline}  ${bar(run)}  ${run.through}/${run.total}${left(run, elapsed)}${run.failed ? color.red(`  ${run.failed} failed`) : ''}`;
  const shown = busy.slice(0, room).map((host) => hostLine(host, now, elapsed, width, columns, color));
  const more = busy.length > room ? [color.dim(`… and ${busy.length - room} more hosts`)] : [];
  return [head, ...shown, ...more];
}

function hostLine(
  host: HostProgress,
  now: number,
  elapsed: number,
  width: number,
  columns: number,
  color: Color,
): string {
  const start = `  ${host.name.padEnd(width)}  ${bar(host)} ${String(host.through).padStart(3)}/${host.total}`;
  const [flight] = [...host.flights.values()].sort((a, b) => a.since - b.since);
  const what = flight ? doing(flight, now) : host.state === 'aside' ? 'set aside' : host.state;
  const line = `${start}${left(host, elapsed)}  ${what}`.slice(0, columns - 1);
  if (host.state === 'failed') return color.red(line);
  return host.state === 'aside' || (flight && isQuiet(flight, now)) ? color.yellow(line) : line;
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

export const seconds = (ms: number) => {
  const whole = Math.round(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};

const bar = ({ through, total }: Pick<HostProgress, 'total' | 'through'>) => {
  const filled = total === 0 ? 0 : Math.round((through / total) * BAR);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
};
const BAR = 16;
