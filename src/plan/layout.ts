import { LOCAL, type Host } from '../common/host.ts';
import type { Step } from '../step/contract/step.ts';
import type { CleanupFragment, MilestoneFragment, PlanFragment, ScopeFragment } from './fragment.ts';
import type { Dependencies, PlanTask, Vertex } from './graph.ts';

/** Appends the nodes and gates of a fragment to the vertices. */
export function layOut(fragment: PlanFragment, vertices: Vertex[]): void {
  addFragment(fragment, { vertices, task: NO_TASK, tasks: new Map() }, { all: [], byHost: NO_HOSTS });
}

const NO_TASK: PlanTask = Object.freeze({ path: '', module: '', name: '', title: '' });

interface Layout {
  readonly vertices: Vertex[];
  readonly task: PlanTask;
  readonly tasks: Map<string, PlanTask>;
}

/** Indexes of vertices by host. */
type ByHost = ReadonlyMap<string, readonly number[]>;

const NO_HOSTS: ByHost = new Map();

/** What the nodes of a fragment wait for. */
interface Start {
  readonly all: readonly number[];
  /** What these hosts wait for instead; it includes `all`, directly or through other vertices. */
  readonly byHost: ByHost;
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
      return { last: start.all, byHost: NO_HOSTS };
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

function addChains(hosts: readonly Host[], steps: readonly Step[], layout: Layout, { all, byHost }: Start): Ends {
  const last = hosts.map((host) => addChain(host, steps, layout, byHost.get(host.name) ?? all));
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
  const waiting = new Map(start.byHost);
  let { all } = start;
  let last = all;
  for (const [index, each] of fragments.entries()) {
    if (index > 0) all = addGate(layout, last);
    // A host that takes part for the first time still waits for its own parts before the sequence.
    const ends = addFragment(each, layout, { all, byHost: index === 0 ? start.byHost : alsoAfter(waiting, all) });
    ({ last } = ends);
    for (const [host, own] of ends.byHost) {
      byHost.set(host, own);
      waiting.delete(host);
    }
  }
  return { last, byHost };
}

function addPerHost(fragments: readonly PlanFragment[], layout: Layout, start: Start): Ends {
  const hosts = new Set<string>();
  let { all } = start;
  let waiting = start.byHost;
  for (const each of fragments) {
    const ends = addFragment(each, layout, { all, byHost: waiting });
    for (const host of ends.byHost.keys()) hosts.add(host);
    if (each.type === 'milestone') {
      all = addGate(layout, ends.last);
      waiting = alsoAfter(without(waiting, [...each.hosts, ...ends.byHost.keys()]), all);
      continue;
    }
    waiting = new Map([...waiting, ...ends.byHost]);
    const local = ends.byHost.get(LOCAL.name);
    if (!local) continue;
    all = addGate(layout, local);
    waiting = afterLocal(layout, waiting, all);
  }
  const byHost = new Map([...hosts].map((host) => [host, waiting.get(host) ?? all]));
  return { last: [...new Set([...byHost.values()].flat())], byHost };
}

/** Every host waits for the local machine, unless what it waits for does so already. */
function afterLocal({ vertices }: Layout, waiting: ByHost, local: readonly number[]): ByHost {
  const later = new Uint8Array(vertices.length);
  for (const index of local) later[index] = 1;
  for (let index = Math.min(...local); index < vertices.length; index++) {
    const { after } = vertices[index]!;
    if (typeof after === 'number' ? later[after] : after.some((before) => later[before])) later[index] = 1;
  }
  return new Map(
    [...waiting].map(([host, own]) => [host, own.some((index) => later[index]) ? own : [...own, ...local]]),
  );
}

function addMilestone({ hosts, fragment }: MilestoneFragment, layout: Layout, { all, byHost }: Start): Ends {
  const awaited = [...hosts].flatMap((host) => byHost.get(host) ?? []);
  const gate = addGate(layout, awaited.length === 0 ? all : [...new Set(awaited)]);
  return addFragment(fragment, layout, { all: gate, byHost: alsoAfter(without(byHost, hosts), gate) });
}

function addWithCleanup({ fragment, cleanup }: CleanupFragment, layout: Layout, start: Start): Ends {
  const ends = addFragment(fragment, layout, start);
  addFragment(cleanup, layout, { all: addGate(layout, ends.last), byHost: NO_HOSTS });
  return ends;
}

const alsoAfter = (byHost: ByHost, more: readonly number[]): ByHost =>
  new Map([...byHost].map(([host, own]) => [host, [...new Set([...own, ...more])]]));

function without(byHost: ByHost, hosts: Iterable<string>): ByHost {
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
