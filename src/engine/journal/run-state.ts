import type { Json } from '../../common/json.ts';
import type { NodeId } from '../../plan/graph.ts';
import type { GenericStep } from '../../step/contract/part.ts';
import type { JournalRecord } from './record.ts';

/** Identifies the part of a step that a record refers to. */
export interface PartIdentity {
  /** Undefined in journals written before keys existed. */
  readonly key: string | undefined;
  readonly part: number;
  /** Undefined if there is a key. */
  readonly summary: string | undefined;
}

/** A change made by a part of a step, and the state before the first attempt. */
export interface Change extends PartIdentity {
  readonly before: Json | undefined;
  /** Increases during the run. Rollback undoes the last change first. */
  readonly order: number;
}

/** The state of a node: done, skipped or in flight. */
export interface NodeState {
  status: 'flight' | 'done' | 'skipped';
  changes: readonly Change[];
}

/**
 * The state of a run according to its journal. The engine updates it during the run and rebuilds it from the file to
 * resume.
 */
export interface RunState {
  /** Pipeline name, such as "create-cluster". */
  pipeline: string | undefined;
  /** Digest of the plan inputs; missing in old journals. */
  source: string | undefined;
  readonly nodes: Map<NodeId, NodeState>;
  /** Boot IDs, by host. */
  readonly boots: Map<string, string>;
  /** The fencing token of the lock that the run held last. */
  fence: number;
  ended: string | undefined;
  order: number;
}

export const newRunState = (): RunState => ({
  pipeline: undefined,
  source: undefined,
  nodes: new Map(),
  boots: new Map(),
  fence: 0,
  ended: undefined,
  order: 0,
});

/** Applies a record to the state, both during a run and when reading its journal. */
export function applyRecord(state: RunState, record: JournalRecord): void {
  switch (record.type) {
    case 'begun':
    case 'resumed':
      state.pipeline = record.pipeline;
      state.fence = record.fence;
      state.ended = undefined;
      return;
    case 'source':
      return compareSource(state, record);
    case 'host':
      return recordBoot(state, record);
    case 'change':
      return remember(state, record);
    case 'done':
    case 'skipped':
      return setStatus(state, record.node, record.type);
    case 'undoing':
      return setStatus(state, record.node, 'flight');
    case 'undone':
      return void state.nodes.delete(record.node);
    case 'failed':
    case 'quarantined':
      return;
    case 'ended':
      state.ended = record.outcome;
      return;
  }
}

/** Resets completed steps if the cluster file or the kubexm version has changed, so that they are checked again. */
function compareSource(state: RunState, { digest }: JournalRecord & { type: 'source' }): void {
  if (state.source !== digest) for (const node of state.nodes.values()) node.status = 'flight';
  state.source = digest;
}

/** Records a boot ID. Resets steps that were completed before a reboot, so that they are checked again. */
function recordBoot({ boots, nodes }: RunState, { host, boot }: JournalRecord & { type: 'host' }): void {
  const known = boots.get(host);
  boots.set(host, boot);
  if (known === undefined || known === boot) return;
  for (const [id, node] of nodes) if (id.endsWith(`@${host}`)) node.status = 'flight';
}

/** Keeps the first recorded state, because a retry would record the partial changes of the first attempt. */
function remember(state: RunState, { node, part, key, summary, before }: JournalRecord & { type: 'change' }): void {
  const known = state.nodes.get(node);
  const change = { key, part, summary, before, order: ++state.order };
  if (!known) return void state.nodes.set(node, { status: 'flight', changes: [change] });
  known.status = 'flight';
  const again = known.changes.some((each) => isSamePart(each, change));
  if (!again) known.changes = [...known.changes, change];
}

/** Compares parts by key, or by position and summary if neither has a key. */
function isSamePart(one: Change, other: Change): boolean {
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  if (one.part !== other.part) return false;
  // If only one has a key, the later change has no recorded state if the engine recognized the part (see `isAbout`).
  return one.key === other.key ? one.summary === other.summary : other.before === undefined;
}

/**
 * Returns whether a record refers to this part. A record without a key matches by position and a former summary of the
 * part.
 */
export const isAbout = (record: PartIdentity, { key, formerly = [] }: PartNames, position: number): boolean =>
  record.key === undefined ? record.part === position && formerly.includes(record.summary ?? '') : record.key === key;

type PartNames = Pick<GenericStep, 'key' | 'formerly'>;

function setStatus(state: RunState, node: NodeId, status: NodeState['status']): void {
  const known = state.nodes.get(node);
  if (known) known.status = status;
  else state.nodes.set(node, { status, changes: NO_CHANGES });
}

const NO_CHANGES: readonly Change[] = Object.freeze([]);
