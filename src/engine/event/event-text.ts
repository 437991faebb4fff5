import { KubexmError } from '../../common/errors/errors.ts';
import type { Event } from './event.ts';

/** Formats an event as a line of text. */
export function eventText(event: Event): string {
  switch (event.type) {
    case 'run-started':
      return `${event.run.pipeline}: ${event.run.steps} steps on ${event.run.hosts.size} hosts`;
    case 'run-ended':
      return `${event.run.pipeline}: ${event.outcome}`;
    case 'started':
      return event.node.step.summary;
    case 'said':
      return event.line;
    case 'done':
      return 'done';
    case 'skipped':
      return 'unchanged';
    case 'blocked':
      return 'not started';
    case 'restarted':
      return 'the host rebooted; completed steps are verified again';
    case 'rolled-back':
      return 'rolled back';
    case 'failed':
    case 'retried':
    case 'rollback-failed':
    case 'quarantined':
      return `${TROUBLE[event.type]}: ${causeOf(event.error)}`;
  }
}

/** Formats the title and message of an error on one line. */
export const causeOf = (error: unknown): string => {
  if (error instanceof KubexmError) return `${error.report.title}. ${error.report.message}`;
  return error instanceof Error ? error.message : String(error);
};

const TROUBLE = {
  failed: 'failed',
  retried: 'retrying',
  'rollback-failed': 'not rolled back',
  quarantined: 'host quarantined',
} as const;
