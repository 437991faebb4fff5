import type { Event, Subscriber } from '../../engine/event/event.ts';
import { eventText } from '../../engine/event/event-text.ts';
import { seconds } from '../format/duration.ts';
import { isQuiet } from './live-view.ts';
import { createProgressModel } from './progress-model.ts';

/** Without a terminal: a line for what happened, and one now and then for what hangs. */
export function createPlainView(
  write: (line: string) => void,
  verbose = false,
): Disposable & { readonly subscriber: Subscriber } {
  const model = createProgressModel();
  const told = new Set<string>();
  const aside = new Set<string>();
  const watch = () => {
    const now = Date.now();
    for (const { name, flights } of model.now().hosts)
      for (const [id, flight] of flights) {
        if (told.has(id) || !isQuiet(flight, now)) continue;
        told.add(id);
        write(
          `${name}  ${flight.step}  still under way after ${seconds(now - flight.since)}${flight.last && `; last heard: ${flight.last}`}`,
        );
      }
  };
  const timer = setInterval(watch, 5000).unref();
  return {
    subscriber: (event) => {
      model.take(event);
      if (event.type === 'quarantined' && isEcho(aside, event.node.host.name)) return;
      const line = lineOf(event, verbose);
      if (line !== undefined) write(line);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** The first step that is set aside on a host has the cause; those behind it were only not begun. */
function isEcho(aside: Set<string>, host: string): boolean {
  const known = aside.has(host);
  aside.add(host);
  return known;
}

/** Undefined for what only many would miss: beginnings, output lines, and what was fine already. */
function lineOf(event: Event, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'run-started':
    case 'run-ended':
      return eventText(event);
    case 'started':
    case 'said':
    case 'skipped':
      return verbose ? nodeLine(event) : undefined;
    case 'blocked':
      return undefined;
    case 'done':
    case 'failed':
    case 'retried':
    case 'restarted':
    case 'quarantined':
    case 'rolled-back':
    case 'rollback-failed':
      return nodeLine(event);
  }
}

function nodeLine(event: Extract<Event, { readonly node: unknown }>): string {
  const { host, step } = event.node;
  const took = 'durationMs' in event && event.durationMs >= 1000 ? ` (${seconds(event.durationMs)})` : '';
  // The rest of what an error says comes at the end of the run.
  const [text = ''] = eventText(event).split('\n');
  return `${host.name}  ${step.name}  ${text}${took}`;
}
