import { KubexmError } from '../../common/errors/errors.ts';
import type { Event } from './event.ts';

/** What happened, for people. */
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
      return 'nothing to do';
    case 'blocked':
      return 'not started';
    case 'restarted':
      return 'the host was started anew: what was done there is looked at again';
    case 'rolled-back':
      return 'undone';
    case 'failed':
    case 'retried':
    case 'rollback-failed':
    case 'quarantined':
      return `${TROUBLE[event.type]}: ${causeOf(event.error)}`;
  }
}

/** The report of an error in one text: what the user is to read. */
export const causeOf = (error: unknown): string => {
  if (error instanceof KubexmError) return `${error.report.title}. ${error.report.message}`;
  return error instanceof Error ? error.message : String(error);
};

const TROUBLE = {
  failed: 'failed',
  retried: 'tried again',
  'rollback-failed': 'not undone',
  quarantined: 'set aside',
} as const;
