import { dependenciesOf, type PlanNode, type Vertex } from '../../plan/graph.ts';

/** The outcome of a node, or the reason why it never started. */
export type NodeOutcome = 'done' | 'skipped' | 'failed' | 'blocked' | 'quarantined';

/** The maximum number of concurrent steps. */
export interface Limits {
  /** For all hosts together. */
  readonly total: number;
  /** For each host. */
  readonly perHost: number;
  /** Registers a listener that is called when the total limit is raised. */
  readonly onRaise?: (listener: () => void) => void;
}

/** Callbacks for nodes whose dependencies are done. */
export interface Acts {
  /** Called immediately before a node starts. If it returns an outcome, the node does not start. */
  decide(node: PlanNode, blocked: boolean): NodeOutcome | undefined;
  /** Runs a node. Rejects only because of a bug. */
  run(node: PlanNode, index: number): Promise<NodeOutcome>;
}

/**
 * Starts each node as soon as it is ready and the limits and locks allow it. There are no batches; every host proceeds
 * at its own pace.
 */
export const schedule = (vertices: readonly Vertex[], limits: Limits, acts: Acts): Promise<void> =>
  new Promise((resolve, reject) => {
    const scheduler = new Scheduler(vertices, limits, acts, { resolve, reject });
    scheduler.start();
    limits.onRaise?.(() => scheduler.pump());
  });

interface Settled {
  readonly resolve: () => void;
  readonly reject: (defect: unknown) => void;
}

/** The state of one pass over a graph: the pending dependencies of each vertex and the running nodes of each host. */
class Scheduler {
  readonly #vertices: readonly Vertex[];
  readonly #limits: Limits;
  readonly #acts: Acts;
  readonly #settled: Settled;
  readonly #pending: Int32Array;
  readonly #blocked: Uint8Array;
  readonly #dependents: Dependents;
  readonly #lanes = new Map<string, Lane>();
  readonly #open: Lane[] = [];
  #running = 0;
  #left: number;
  #yielding = false;

  constructor(vertices: readonly Vertex[], limits: Limits, acts: Acts, settled: Settled) {
    this.#vertices = vertices;
    this.#limits = limits;
    this.#acts = acts;
    this.#settled = settled;
    this.#pending = Int32Array.from(vertices, (vertex) => dependenciesOf(vertex).length);
    this.#blocked = new Uint8Array(vertices.length);
    this.#dependents = dependentsOf(vertices);
    this.#left = vertices.length;
  }

  start(): void {
    if (this.#left === 0) return this.#settled.resolve();
    this.#admit(this.#vertices.flatMap((_, index) => (this.#pending[index] === 0 ? [index] : [])).toReversed());
    this.pump();
  }

  /** Starts as many nodes as the limits allow. */
  pump(): void {
    if (this.#yielding) return;
    while (this.#running < this.#limits.total && this.#open.length > 0) {
      const lane = this.#open.shift()!;
      lane.open = false;
      const index = take(lane, this.#vertices);
      if (index === undefined) continue;
      this.#begin(lane, index);
      this.#reopen(lane);
    }
  }

  /** Queues vertices whose dependencies are done. Gates complete immediately. */
  #admit(indexes: number[]): void {
    for (let index = indexes.pop(); index !== undefined; index = indexes.pop()) {
      const vertex = this.#vertices[index]!;
      if (vertex.type === 'gate') {
        this.#complete(index, this.#blocked[index] === 1, indexes);
        continue;
      }
      const lane = this.#laneOf(vertex.host.name);
      lane.ready.push(index);
      this.#reopen(lane);
    }
  }

  /** Marks a vertex as completed for its dependents, and collects the dependents that became ready. */
  #complete(index: number, blocks: boolean, ready: number[]): void {
    this.#left -= 1;
    const { start, targets } = this.#dependents;
    for (let at = start[index]!; at < start[index + 1]!; at++) {
      const next = targets[at]!;
      if (blocks) this.#blocked[next] = 1;
      if (--this.#pending[next]! === 0) ready.push(next);
    }
    if (this.#left === 0) this.#settled.resolve();
  }

  #begin(lane: Lane, index: number): void {
    const node = nodeAt(this.#vertices, index);
    const outcome = this.#acts.decide(node, this.#blocked[index] === 1);
    if (outcome) return this.#end(index, outcome);
    this.#running += 1;
    lane.running += 1;
    for (const lock of node.step.locks) lane.held.add(lock);
    this.#acts.run(node, index).then((result) => this.#finish(lane, index, node, result), this.#settled.reject);
  }

  #finish(lane: Lane, index: number, { step }: PlanNode, outcome: NodeOutcome): void {
    this.#running -= 1;
    lane.running -= 1;
    for (const lock of step.locks) lane.held.delete(lock);
    this.#end(index, outcome);
    this.#reopen(lane);
    if (this.#left % YIELD_EVERY === 0) this.#yield();
    this.pump();
  }

  #end(index: number, outcome: NodeOutcome): void {
    const ready: number[] = [];
    this.#complete(index, outcome === 'failed' || outcome === 'blocked', ready);
    this.#admit(ready.toReversed());
  }

  /** Yields to the event loop, because steps that never wait would block disk writes, the terminal and Ctrl-C. */
  #yield(): void {
    this.#yielding = true;
    setImmediate(() => {
      this.#yielding = false;
      this.pump();
    });
  }

  #reopen(lane: Lane): void {
    if (lane.open || lane.ready.length === 0 || lane.running >= this.#limits.perHost) return;
    lane.open = true;
    this.#open.push(lane);
  }

  #laneOf(host: string): Lane {
    const lane = this.#lanes.get(host) ?? { ready: [], running: 0, held: new Set<string>(), open: false };
    this.#lanes.set(host, lane);
    return lane;
  }
}

const YIELD_EVERY = 500;

/** The ready and running nodes of one host. */
interface Lane {
  readonly ready: number[];
  /** Names of the locks that running nodes hold. */
  readonly held: Set<string>;
  running: number;
  /** Whether the host is queued for its next node. */
  open: boolean;
}

/** Removes the first ready node whose locks are free. */
function take({ ready, held }: Lane, vertices: readonly Vertex[]): number | undefined {
  const at = ready.findIndex((index) => !nodeAt(vertices, index).step.locks.some((lock) => held.has(lock)));
  return at < 0 ? undefined : ready.splice(at, 1)[0];
}

function nodeAt(vertices: readonly Vertex[], index: number): PlanNode {
  const vertex = vertices[index];
  if (vertex?.type !== 'node') throw new TypeError(`vertex ${index} is not a node`);
  return vertex;
}

interface Dependents {
  readonly start: Int32Array;
  readonly targets: Int32Array;
}

/** Returns the dependents of each vertex as two flat lists, because a plan with 300,000 nodes has as many edges. */
function dependentsOf(vertices: readonly Vertex[]): Dependents {
  const start = new Int32Array(vertices.length + 1);
  for (const vertex of vertices) for (const index of dependenciesOf(vertex)) start[index + 1]! += 1;
  for (let index = 0; index < vertices.length; index++) start[index + 1]! += start[index]!;
  const targets = new Int32Array(start[vertices.length]!);
  const filled = start.slice();
  for (const [index, vertex] of vertices.entries())
    for (const other of dependenciesOf(vertex)) targets[filled[other]!++] = index;
  return { start, targets };
}
