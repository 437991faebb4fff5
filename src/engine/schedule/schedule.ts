import { dependenciesOf, type PlanNode, type Vertex } from '../../plan/graph.ts';

/** How a node ended, or why it never began. */
export type NodeOutcome = 'done' | 'skipped' | 'failed' | 'blocked' | 'quarantined';

/** How much may go on at the same time. */
export interface Limits {
  /** Steps at once, on all hosts together. */
  readonly total: number;
  /** Steps at once on one host. */
  readonly perHost: number;
  /** Hears when there may be more in total than before. */
  readonly onRaise?: (listener: () => void) => void;
}

/** What is done with each node once all it waits for is through. */
export interface Acts {
  /** Asked at the last moment; an outcome here means that the node is not begun. */
  decide(node: PlanNode, blocked: boolean): NodeOutcome | undefined;
  /** Never rejects, but for a defect. */
  run(node: PlanNode, index: number): Promise<NodeOutcome>;
}

/** Takes each node as soon as it is ready: no batches, every host at its own pace, within limits and locks. */
export function schedule(vertices: readonly Vertex[], limits: Limits, acts: Acts): Promise<void> {
  const waiting = Int32Array.from(vertices, (vertex) => dependenciesOf(vertex).length);
  const blocked = new Uint8Array(vertices.length);
  const follows = followers(vertices);
  const lanes = new Map<string, Lane>();
  const open: Lane[] = [];
  let running = 0;
  let left = vertices.length;
  let resting = false;

  return new Promise((resolve, reject) => {
    settle(vertices.flatMap((_, index) => (waiting[index] === 0 ? [index] : [])).toReversed());
    pump();
    limits.onRaise?.(pump);

    /** Takes in vertices that wait for nothing more; gates are through at once. */
    function settle(indexes: number[]): void {
      for (let index = indexes.pop(); index !== undefined; index = indexes.pop()) {
        const vertex = vertices[index]!;
        if (vertex.type === 'node') offer(laneOf(vertex.host.name), index);
        else pass(index, blocked[index] === 1, indexes);
      }
    }

    /** The vertex is through: those that waited for it wait for one less. */
    function pass(index: number, blocks: boolean, freed: number[]): void {
      left -= 1;
      for (let at = follows.start[index]!; at < follows.start[index + 1]!; at++) {
        const next = follows.targets[at]!;
        if (blocks) blocked[next] = 1;
        if (--waiting[next]! === 0) freed.push(next);
      }
      if (left === 0) resolve();
    }

    function end(index: number, outcome: NodeOutcome): void {
      const freed: number[] = [];
      pass(index, outcome === 'failed' || outcome === 'blocked', freed);
      settle(freed.toReversed());
    }

    function pump(): void {
      if (resting) return;
      while (running < limits.total && open.length > 0) {
        const lane = open.shift()!;
        lane.open = false;
        const index = take(lane, vertices);
        if (index === undefined) continue;
        begin(lane, index);
        reopen(lane);
      }
    }

    function begin(lane: Lane, index: number): void {
      const node = nodeAt(vertices, index);
      const outcome = acts.decide(node, blocked[index] === 1);
      if (outcome) return end(index, outcome);
      running += 1;
      lane.running += 1;
      for (const lock of node.step.locks) lane.held.add(lock);
      acts.run(node, index).then((result) => finish(lane, index, node, result), reject);
    }

    function finish(lane: Lane, index: number, { step }: PlanNode, outcome: NodeOutcome): void {
      running -= 1;
      lane.running -= 1;
      for (const lock of step.locks) lane.held.delete(lock);
      end(index, outcome);
      reopen(lane);
      if (left % BREATH === 0) rest();
      pump();
    }

    /** Steps that never wait for anything would keep the disk, the terminal and Ctrl-C from their turn. */
    function rest(): void {
      resting = true;
      setImmediate(() => {
        resting = false;
        pump();
      });
    }

    function offer(lane: Lane, index: number): void {
      lane.ready.push(index);
      reopen(lane);
    }

    function reopen(lane: Lane): void {
      if (lane.open || lane.ready.length === 0 || lane.running >= limits.perHost) return;
      lane.open = true;
      open.push(lane);
    }

    function laneOf(host: string): Lane {
      const lane = lanes.get(host) ?? { ready: [], running: 0, held: new Set<string>(), open: false };
      lanes.set(host, lane);
      return lane;
    }
  });
}

const BREATH = 500;

/** What one host has to do and does. */
interface Lane {
  readonly ready: number[];
  readonly held: Set<string>;
  running: number;
  open: boolean;
}

/** The first ready node whose locks are free. */
function take({ ready, held }: Lane, vertices: readonly Vertex[]): number | undefined {
  const at = ready.findIndex((index) => !nodeAt(vertices, index).step.locks.some((lock) => held.has(lock)));
  return at < 0 ? undefined : ready.splice(at, 1)[0];
}

function nodeAt(vertices: readonly Vertex[], index: number): PlanNode {
  const vertex = vertices[index];
  if (vertex?.type !== 'node') throw new TypeError(`vertex ${index} is no node`);
  return vertex;
}

/** Who waits for each vertex, as two flat lists: a plan of 300,000 nodes has as many edges. */
function followers(vertices: readonly Vertex[]): { readonly start: Int32Array; readonly targets: Int32Array } {
  const start = new Int32Array(vertices.length + 1);
  for (const vertex of vertices) for (const index of dependenciesOf(vertex)) start[index + 1]! += 1;
  for (let index = 0; index < vertices.length; index++) start[index + 1]! += start[index]!;
  const targets = new Int32Array(start[vertices.length]!);
  const filled = start.slice();
  for (const [index, vertex] of vertices.entries())
    for (const other of dependenciesOf(vertex)) targets[filled[other]!++] = index;
  return { start, targets };
}
