import type { Event } from '../../engine/event/event.ts';

/** One step under way. */
export interface Flight {
  readonly step: string;
  readonly since: number;
  /** The last thing heard of it, and when. */
  readonly last: string;
  readonly lastAt: number;
}

/** How far a host is. */
export interface HostProgress {
  readonly name: string;
  readonly total: number;
  readonly through: number;
  readonly flights: ReadonlyMap<string, Flight>;
  readonly state: 'going' | 'failed' | 'aside';
}

/** How far a run is, as its events told. */
export interface RunProgress {
  readonly pipeline: string;
  readonly startedAt: number;
  readonly hosts: readonly HostProgress[];
  readonly total: number;
  readonly through: number;
  readonly failed: number;
  readonly undone: number;
}

/** Follows a run by its events only. */
export interface ProgressModel {
  take(event: Event): void;
  now(): RunProgress;
}

export function createProgressModel(): ProgressModel {
  const hosts = new Map<string, Mutable>();
  let pipeline = '';
  let startedAt = 0;
  let failed = 0;
  let undone = 0;

  const take = (event: Event): void => {
    if (event.type === 'run-started') {
      ({ pipeline } = event.run);
      startedAt = event.at;
      for (const [name, total] of event.run.hosts)
        hosts.set(name, { name, total, through: 0, flights: new Map(), state: 'going' });
    }
    if (!('node' in event)) return;
    const host = hosts.get(event.node.host.name);
    if (!host) return;
    if (event.type === 'failed') failed += 1;
    if (event.type === 'rolled-back') undone += 1;
    follow(host, event);
  };
  const now = (): RunProgress => {
    const all = [...hosts.values()];
    const sum = (of: (host: HostProgress) => number) => all.reduce((total, host) => total + of(host), 0);
    return {
      pipeline,
      startedAt,
      hosts: all,
      total: sum(({ total }) => total),
      through: sum(({ through }) => through),
      failed,
      undone,
    };
  };
  return Object.freeze({ take, now });
}

interface Mutable extends HostProgress {
  through: number;
  readonly flights: Map<string, Flight>;
  state: HostProgress['state'];
}

function follow(host: Mutable, event: Extract<Event, { readonly node: unknown }>): void {
  const { id, step } = event.node;
  const flight = host.flights.get(id);
  switch (event.type) {
    case 'started':
      return void host.flights.set(id, { step: step.name, since: event.at, last: '', lastAt: event.at });
    case 'said':
      if (flight) host.flights.set(id, { ...flight, last: event.line, lastAt: event.at });
      return;
    case 'retried':
      if (flight) host.flights.set(id, { ...flight, last: 'tries again', lastAt: event.at });
      return;
    case 'restarted':
      if (flight) host.flights.set(id, { ...flight, last: 'the host was started anew', lastAt: event.at });
      return;
    case 'rolled-back':
    case 'rollback-failed':
      return;
    case 'failed':
    case 'quarantined':
    case 'skipped':
    case 'done':
    case 'blocked':
      if (event.type === 'failed') host.state = 'failed';
      if (event.type === 'quarantined') host.state = 'aside';
      host.flights.delete(id);
      host.through += 1;
  }
}

/** Milliseconds until the rest is through, by the pace so far; undefined as long as there is none. */
export function timeLeft(
  { total, through }: Pick<HostProgress, 'total' | 'through'>,
  elapsed: number,
): number | undefined {
  return through === 0 || through === total ? undefined : (elapsed / through) * (total - through);
}
