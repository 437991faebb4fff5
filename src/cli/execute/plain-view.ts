import type { Event, Subscriber } from '../../engine/event/event.ts';
import { eventText } from '../../engine/event/event-text.ts';
import { duration } from '../format/time.ts';
import { createProgressModel, isQuiet } from './progress-model.ts';

/** Prints one line for each result and for each step that may be hanging; used without a terminal. */
export function createPlainView(
  write: (line: string) => void,
  verbose = false,
): Disposable & { readonly subscriber: Subscriber } {
  const model = createProgressModel();
  const reported = new Set<string>();
  const quarantined = new Set<string>();
  const reportQuietSteps = () => {
    const now = Date.now();
    for (const { name, running: steps } of model.now().hosts)
      for (const [id, running] of steps) {
        if (reported.has(id) || !isQuiet(running, now)) continue;
        reported.add(id);
        const output = running.lastLine && `; last output: ${running.lastLine}`;
        write(`${name}  ${running.step}  still running after ${duration(now - running.since)}${output}`);
      }
  };
  const timer = setInterval(reportQuietSteps, 5000).unref();
  return {
    subscriber: (event) => {
      model.add(event);
      if (event.type === 'quarantined' && isRepeated(quarantined, event.node.host.name)) return;
      const line = lineOf(event, verbose);
      if (line !== undefined) write(line);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/**
 * Returns whether the host was already reported. Only its first quarantined step has the cause; later steps were not
 * started.
 */
function isRepeated(quarantined: Set<string>, host: string): boolean {
  const known = quarantined.has(host);
  quarantined.add(host);
  return known;
}

/** Returns the line for an event, or undefined for events that are shown only with --verbose. */
function lineOf(event: Event, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'run-started':
    case 'run-ended':
      return eventText(event);
    case 'started':
    case 'skipped':
      return verbose ? nodeLine(event) : undefined;
    case 'said':
      return verbose || event.node.step.showsOutput ? nodeLine(event) : undefined;
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
  const took = 'durationMs' in event && event.durationMs >= 1000 ? ` (${duration(event.durationMs)})` : '';
  // The summary at the end of the run shows the full error.
  const [text = ''] = eventText(event).split('\n');
  return `${host.name}  ${step.name}  ${text}${took}`;
}
