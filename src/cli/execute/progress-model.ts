import type { Event } from '../../engine/event/event.ts';

/** One running step. */
export interface RunningStep {
  readonly step: string;
  /** The title of its task. */
  readonly task: string;
  readonly since: number;
  /** The last output line, and when it was printed. */
  readonly lastLine: string;
  readonly lastLineAt: number;
}

/** The progress of one host. */
export interface HostProgress {
  readonly name: string;
  readonly total: number;
  readonly finished: number;
  /** Running steps, by plan node ID. */
  readonly running: ReadonlyMap<string, RunningStep>;
  readonly state: 'running' | 'failed' | 'quarantined';
}

/** The progress of a run. */
export interface RunProgress {
  readonly pipeline: string;
  readonly startedAt: number;
  readonly hosts: readonly HostProgress[];
  readonly total: number;
  readonly finished: number;
  readonly failed: number;
  readonly rolledBack: number;
}

/** Tracks the progress of a run from its events. */
export interface ProgressModel {
  add(event: Event): void;
  now(): RunProgress;
}

export function createProgressModel(): ProgressModel {
  const hosts = new Map<string, MutableProgress>();
  let pipeline = '';
  let startedAt = 0;
  let failed = 0;
  let rolledBack = 0;

  const add = (event: Event): void => {
    if (event.type === 'run-started') {
      ({ pipeline } = event.run);
      startedAt = event.at;
      for (const [name, total] of event.run.hosts)
        hosts.set(name, { name, total, finished: 0, running: new Map(), state: 'running' });
    }
    if (!('node' in event)) return;
    const host = hosts.get(event.node.host.name);
    if (!host) return;
    if (event.type === 'failed') failed += 1;
    if (event.type === 'rolled-back') rolledBack += 1;
    update(host, event);
  };
  const now = (): RunProgress => {
    const all = [...hosts.values()];
    const sum = (of: (host: HostProgress) => number) => all.reduce((total, host) => total + of(host), 0);
    return {
      pipeline,
      startedAt,
      hosts: all,
      total: sum(({ total }) => total),
      finished: sum(({ finished }) => finished),
      failed,
      rolledBack,
    };
  };
  return Object.freeze({ add, now });
}

interface MutableProgress extends HostProgress {
  finished: number;
  readonly running: Map<string, RunningStep>;
  state: HostProgress['state'];
}

function update(host: MutableProgress, event: Extract<Event, { readonly node: unknown }>): void {
  const { id, step, task } = event.node;
  const setLastLine = (lastLine: string) => {
    const running = host.running.get(id);
    if (running) host.running.set(id, { ...running, lastLine, lastLineAt: event.at });
  };
  switch (event.type) {
    case 'started':
      return void host.running.set(id, {
        step: step.name,
        task: task.title,
        since: event.at,
        lastLine: '',
        lastLineAt: event.at,
      });
    case 'said':
      return setLastLine(event.line);
    case 'retried':
      return setLastLine('retrying');
    case 'restarted':
      return setLastLine('the host rebooted');
    case 'rolled-back':
    case 'rollback-failed':
      return;
    case 'failed':
    case 'quarantined':
    case 'skipped':
    case 'done':
    case 'blocked':
      if (event.type === 'failed' || event.type === 'quarantined') host.state = event.type;
      host.running.delete(id);
      host.finished += 1;
  }
}

/** Returns whether a step has printed nothing for so long that it may be hanging. */
export const isQuiet = ({ lastLineAt }: RunningStep, now: number): boolean => now - lastLineAt > 30_000;

/** Estimates the remaining milliseconds from the pace so far. Returns undefined until the first step has finished. */
export function timeLeft(
  { total, finished }: Pick<HostProgress, 'total' | 'finished'>,
  elapsed: number,
): number | undefined {
  return finished === 0 || finished === total ? undefined : (elapsed / finished) * (total - finished);
}
