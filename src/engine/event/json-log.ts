import { KubexmError } from '../../common/errors/errors.ts';
import { sanitize } from '../../common/sanitize.ts';
import type { Event, Subscriber } from './event.ts';
import { eventText } from './event-text.ts';

/** Writes one JSON object per line. */
export const jsonLog =
  (write: (line: string) => void): Subscriber =>
  (event) =>
    write(`${JSON.stringify(safeRecord(event))}\n`);

/** The fields that log collectors rely on. */
export interface LogRecord {
  readonly timestamp: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: Event['type'];
  readonly pipeline_id: string;
  readonly pipeline: string;
  readonly module?: string;
  readonly task?: string;
  readonly step?: string;
  readonly node?: string;
  readonly message: string;
  readonly duration_ms?: number;
  /** For an error: its code, and what to run next. */
  readonly code?: string;
  readonly hint?: string;
}

/** Returns the record of an event with sanitized texts, so that no error or output line leaks a secret. */
export function safeRecord(event: Event): LogRecord {
  const record = logRecord(event);
  const message = sanitize(record.message);
  return record.hint === undefined ? { ...record, message } : { ...record, message, hint: sanitize(record.hint) };
}

const logRecord = (event: Event): LogRecord => ({
  timestamp: new Date(event.at).toISOString(),
  level: levelOf(event),
  event: event.type,
  pipeline_id: event.run.id,
  pipeline: event.run.pipeline,
  ...('node' in event && {
    module: event.node.task.module,
    task: event.node.task.name,
    step: event.node.step.name,
    node: event.node.host.name,
  }),
  message: eventText(event),
  ...('durationMs' in event && { duration_ms: event.durationMs }),
  ...('error' in event &&
    event.error instanceof KubexmError && { code: event.error.code, hint: event.error.report.hint }),
});

function levelOf(event: Event): LogRecord['level'] {
  switch (event.type) {
    case 'failed':
    case 'rollback-failed':
      return 'error';
    case 'quarantined':
    case 'retried':
    case 'restarted':
    case 'blocked':
      return 'warn';
    case 'said':
      return 'debug';
    case 'run-ended':
      return event.outcome === 'done' ? 'info' : event.outcome === 'failed' ? 'error' : 'warn';
    case 'run-started':
    case 'started':
    case 'skipped':
    case 'done':
    case 'rolled-back':
      return 'info';
  }
}
