import { createCache, type Cache } from '../../src/cache/cache.ts';
import type { Host } from '../../src/common/host.ts';
import type { Event } from '../../src/engine/event/event.ts';
import { execute, type EngineOptions } from '../../src/engine/execute.ts';
import type { ContextFor } from '../../src/engine/execution.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import type { ExecutionGraph } from '../../src/plan/graph.ts';
import { fakeHost, type FakeHost } from './fake-host.ts';
import { fakeContext, hostsOf } from './fake-context.ts';
import { fakeRunner } from './fake-runner.ts';

export const hostNamed = (name: string): Host => Object.freeze({ name, address: '10.0.0.1', roles: [] });

/** A journal that discards all records. */
export const noJournal = (): Journal => ({
  append: () => {},
  saved: () => Promise.resolve(),
  broken: undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

/** Fake hosts with the engine on top. */
export interface FakeWorld {
  readonly hosts: readonly Host[];
  fake(name: string): FakeHost;
  readonly events: Event[];
  readonly cache: Cache;
  readonly contextFor: ContextFor;
  run(graph: ExecutionGraph, options?: Partial<EngineOptions>): Promise<RunResult>;
  /** Resolves when the next run reports an event, given as "type step@host". */
  event(line: string): Promise<void>;
  /** Events of the given types as "type step@host" lines; all types if none are given. */
  eventLines(...types: readonly Event['type'][]): string[];
}

export function fakeWorld(names: readonly string[], fakes = names.map((name) => fakeHost(name))): FakeWorld {
  const hosts = names.map(hostNamed);
  const byName = new Map([...fakes, ...(names.includes('local') ? [] : [fakeHost('local')])].map((f) => [f.host, f]));
  const events: Event[] = [];
  const awaited: { readonly line: string; readonly resolve: () => void }[] = [];
  const record = (event: Event) => {
    events.push(event);
    for (const { line, resolve } of awaited) if (line === lineOf(event)) resolve();
  };
  const cache = createCache();
  const fake = (name: string) => byName.get(name)!;
  const contextFor: ContextFor = ({ host, step }, signal, say) =>
    fakeContext(host, fake(host.name), {
      hosts: hostsOf(hosts),
      on: ({ name }) => fakeRunner(fake(name), signal),
      cache,
      keepDir: `/keep/${step.name}`,
      say,
      signal,
    });
  return {
    hosts,
    fake,
    events,
    cache,
    contextFor,
    run: (graph, options = {}) => {
      events.length = 0;
      return execute(graph, {
        run: { id: 'test', cluster: 'test' },
        contextFor,
        journal: noJournal(),
        report: record,
        pause: () => Promise.resolve(),
        graceMs: 50,
        ...options,
      });
    },
    event: (line) => new Promise((resolve) => awaited.push({ line, resolve })),
    eventLines: (...types) =>
      events.flatMap((event) => (types.length === 0 || types.includes(event.type) ? (lineOf(event) ?? []) : [])),
  };
}

const lineOf = (event: Event): string | undefined =>
  'node' in event ? `${event.type} ${event.node.step.name}@${event.node.host.name}` : undefined;
