import { LOCAL, type Host } from '../common/host.ts';
import type { Step } from '../step/contract/step.ts';
import type { CleanupFragment, MilestoneFragment, PlanFragment, ScopeFragment } from './fragment.ts';
import type { Dependencies, PlanTask, Vertex } from './graph.ts';

/** Appends the nodes and gates of a fragment to the vertices. */
export function layOut(fragment: PlanFragment, vertices: Vertex[]): void {
  addFragment(fragment, { vertices, task: NO_TASK, tasks: new Map() }, { all: [], byHost: new Map() });
}

const NO_TASK: PlanTask = Object.freeze({ path: '', module: '', name: '', title: '' });

interface Layout {
  readonly vertices: Vertex[];
  readonly task: PlanTask;
  readonly tasks: Map<string, PlanTask>;
}

/** Indexes of vertices by host. */
type ByHost = ReadonlyMap<string, readonly number[]>;

/** What the nodes of a fragment wait for. */
interface Start {
  readonly all: readonly number[];
  /** What these hosts also wait for: their own parts of earlier fragments. */
  readonly byHost: ReadonlyMap<string, Earlier>;
}

/** The last vertices of a host's part of earlier fragments. */
interface Earlier {
  readonly ends: readonly number[];
  /** They wait for everything in `all`. */
  readonly isAfterAll: boolean;
}

/** The last vertices of a fragment. */
interface Ends {
  /** When they are done, the whole fragment is. */
  readonly last: readonly number[];
  /** Of each host that takes part. */
  readonly byHost: ByHost;
}

function addFragment(fragment: PlanFragment, layout: Layout, start: Start): Ends {
  switch (fragment.type) {
    case 'empty':
      return { last: start.all, byHost: new Map() };
    case 'chain':
      return addChains(fragment.hosts, fragment.steps, layout, start);
    case 'parallel':
      return addParallel(fragment.fragments, layout, start);
    case 'sequence':
      return addSequence(fragment.fragments, layout, start);
    case 'per-host':
      return addPerHost(fragment.fragments, layout, start);
    case 'milestone':
      return addMilestone(fragment, layout, start);
    case 'cleanup':
      return addWithCleanup(fragment, layout, start);
    case 'scope':
      return addFragment(fragment.fragment, { ...layout, task: nestedTask(layout, fragment) }, start);
  }
}

function addChains(hosts: readonly Host[], steps: readonly Step[], layout: Layout, start: Start): Ends {
  const last = hosts.map((host) => addChain(host, steps, layout, startOf(host.name, start)));
  return { last, byHost: new Map(hosts.map(({ name }, index) => [name, [last[index]!]])) };
}

function addChain(host: Host, steps: readonly Step[], { vertices, task }: Layout, start: readonly number[]): number {
  let after: Dependencies = start.length === 1 ? start[0]! : start;
  for (const step of steps) {
    const id = `${task.path}${task.path && '/'}${step.name}@${host.name}`;
    after = vertices.push(Object.freeze({ type: 'node', id, task, step, host, after })) - 1;
  }
  return vertices.length - 1;
}

function addParallel(fragments: readonly PlanFragment[], layout: Layout, start: Start): Ends {
  const all = fragments.map((each) => addFragment(each, layout, start));
  const byHost = new Map<string, readonly number[]>();
  for (const ends of all)
    for (const [host, own] of ends.byHost) byHost.set(host, [...(byHost.get(host) ?? []), ...own]);
  return { last: all.flatMap(({ last }) => last), byHost };
}

function addSequence(fragments: readonly PlanFragment[], layout: Layout, start: Start): Ends {
  const byHost = new Map<string, readonly number[]>();
  let { all } = start;
  // A host that takes part for the first time still waits for its own parts before the sequence.
  let waiting = start.byHost;
  let last = all;
  for (const [index, each] of fragments.entries()) {
    if (index > 0) {
      all = addGate(layout, last);
      waiting = notAfterAll(waiting);
    }
    const ends = addFragment(each, layout, { all, byHost: waiting });
    ({ last } = ends);
    for (const [host, own] of ends.byHost) byHost.set(host, own);
    waiting = without(waiting, ends.byHost.keys());
  }
  return { last, byHost };
}

function addPerHost(fragments: readonly PlanFragment[], layout: Layout, { all, byHost }: Start): Ends {
  const hosts = new Set<string>();
  let start: Start = { all, byHost };
  for (const each of fragments) {
    const ends = addFragment(each, layout, start);
    for (const host of ends.byHost.keys()) hosts.add(host);
    start = each.type === 'milestone' ? afterMilestone(layout, each, start, ends) : afterOwnParts(layout, start, ends);
  }
  const ends = new Map([...hosts].map((host) => [host, startOf(host, start)]));
  const last = [...hosts].flatMap((host) => (start.byHost.has(host) ? ends.get(host)! : []));
  return { last: last.length === 0 ? start.all : [...new Set(last)], byHost: ends };
}

function afterMilestone(layout: Layout, { hosts }: MilestoneFragment, { byHost }: Start, ends: Ends): Start {
  const rest = without(byHost, [...hosts, ...ends.byHost.keys()]);
  return { all: addGate(layout, ends.last), byHost: notAfterAll(rest) };
}

/** Each host that took part waits for itself, and all hosts wait for the local machine if it took part. */
function afterOwnParts(layout: Layout, { all, byHost }: Start, ends: Ends): Start {
  const own = [...ends.byHost].map(([host, ends]): [string, Earlier] => [host, { ends, isAfterAll: true }]);
  const earlier = new Map([...byHost, ...own]);
  const local = ends.byHost.get(LOCAL.name);
  if (!local) return { all, byHost: earlier };
  const gate = addGate(layout, local);
  const isLater = descendants(layout, gate);
  return {
    all: gate,
    byHost: new Map([...earlier].map(([host, { ends }]) => [host, { ends, isAfterAll: ends.some(isLater) }])),
  };
}

/** Whether a vertex is one of these or waits for one. */
function descendants({ vertices }: Layout, indexes: readonly number[]): (index: number) => boolean {
  const marks = new Uint8Array(vertices.length);
  for (const index of indexes) marks[index] = 1;
  for (let index = Math.min(...indexes); index < vertices.length; index++) {
    const { after } = vertices[index]!;
    if (typeof after === 'number' ? marks[after] : after.some((before) => marks[before])) marks[index] = 1;
  }
  return (index) => marks[index] === 1;
}

function addMilestone({ hosts, fragment }: MilestoneFragment, layout: Layout, start: Start): Ends {
  const awaited = [...hosts].flatMap((host) => (start.byHost.has(host) ? startOf(host, start) : []));
  const all = addGate(layout, awaited.length === 0 ? start.all : [...new Set(awaited)]);
  return addFragment(fragment, layout, { all, byHost: notAfterAll(without(start.byHost, hosts)) });
}

function addWithCleanup({ fragment, cleanup }: CleanupFragment, layout: Layout, start: Start): Ends {
  const ends = addFragment(fragment, layout, start);
  addFragment(cleanup, layout, { all: addGate(layout, ends.last), byHost: new Map() });
  return ends;
}

function startOf(host: string, { all, byHost }: Start): readonly number[] {
  const own = byHost.get(host);
  if (!own) return all;
  return own.isAfterAll ? own.ends : [...new Set([...own.ends, ...all])];
}

const notAfterAll = (byHost: Start['byHost']): Start['byHost'] =>
  new Map([...byHost].map(([host, { ends }]) => [host, { ends, isAfterAll: false }]));

function without<T>(byHost: ReadonlyMap<string, T>, hosts: Iterable<string>): ReadonlyMap<string, T> {
  const rest = new Map(byHost);
  for (const host of hosts) rest.delete(host);
  return rest;
}

function addGate({ vertices }: Layout, after: readonly number[]): readonly number[] {
  if (after.length < 2) return after;
  return [vertices.push(Object.freeze({ type: 'gate', after })) - 1];
}

/** Equal paths share one object. */
function nestedTask({ task, tasks }: Layout, { name, title }: ScopeFragment): PlanTask {
  const path = task.path ? `${task.path}/${name}` : name;
  const nested = tasks.get(path) ?? Object.freeze({ path, module: task.module || name, name, title });
  tasks.set(path, nested);
  return nested;
}
