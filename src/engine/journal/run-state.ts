import type { Json } from '../../common/json.ts';
import type { NodeId } from '../../plan/graph.ts';
import type { GenericStep } from '../../step/contract/step.ts';
import type { JournalRecord } from './record.ts';

/** Which part of a step a record is about. */
export interface PartIdentity {
  /** Undefined in journals written before keys existed. */
  readonly key: string | undefined;
  readonly part: number;
  readonly summary: string;
}

/** What a part of a step changed, with what was there before the first of its tries. */
export interface Change extends PartIdentity {
  readonly before: Json | undefined;
  /** Counts up over the run, so that what changed last can be undone first. */
  readonly order: number;
}

/** How far a node is: done, looked at and fine, or begun without an end. */
export interface NodeState {
  status: 'flight' | 'done' | 'skipped';
  changes: readonly Change[];
}

/** What a journal says about a run. The engine keeps one as it goes; resuming makes the same one from the file. */
export interface RunState {
  /** "create-cluster" */
  pipeline: string | undefined;
  /** Of what it is made from; journals of old do not tell. */
  source: string | undefined;
  readonly nodes: Map<NodeId, NodeState>;
  /** Boot ids, by host. */
  readonly boots: Map<string, string>;
  /** Of the lock under which the run went on last. */
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

/** Takes a record in. The same for a live run and for one that is read again. */
export function applyRecord(state: RunState, record: JournalRecord): void {
  switch (record.type) {
    case 'begun':
    case 'resumed':
      state.pipeline = record.pipeline;
      state.fence = record.fence;
      state.ended = undefined;
      return;
    case 'source':
      return compare(state, record);
    case 'host':
      return meet(state, record);
    case 'change':
      return remember(state, record);
    case 'done':
    case 'skipped':
      return settle(state, record.node, record.type);
    case 'undoing':
      return settle(state, record.node, 'flight');
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

/** What was done for another cluster file, or by another version, may not be what is asked for now. */
function compare(state: RunState, { digest }: JournalRecord & { type: 'source' }): void {
  if (state.source !== digest) for (const node of state.nodes.values()) node.status = 'flight';
  state.source = digest;
}

/** What was done on a host before it was started anew is looked at again, as if it had ended in the middle. */
function meet({ boots, nodes }: RunState, { host, boot }: JournalRecord & { type: 'host' }): void {
  const known = boots.get(host);
  boots.set(host, boot);
  if (known === undefined || known === boot) return;
  for (const [id, node] of nodes) if (id.endsWith(`@${host}`)) node.status = 'flight';
}

/** What was there first is kept: a second try would only remember what the first one left half done. */
function remember(state: RunState, { node, part, key, summary, before }: JournalRecord & { type: 'change' }): void {
  const known = state.nodes.get(node);
  const change = { key, part, summary, before, order: ++state.order };
  if (!known) return void state.nodes.set(node, { status: 'flight', changes: [change] });
  known.status = 'flight';
  const again = known.changes.some((each) => isSamePart(each, change));
  if (!again) known.changes = [...known.changes, change];
}

/** By key; two records without keys by position and text. */
const isSamePart = (one: PartIdentity, other: PartIdentity): boolean =>
  one.key === undefined && other.key === undefined
    ? one.part === other.part && one.summary === other.summary
    : one.key === other.key;

/** Whether a record is about this part. A record without a key matches by position and by a text the part had then. */
export const isAbout = (record: PartIdentity, { key, formerly = [] }: PartNames, position: number): boolean =>
  record.key === undefined ? record.part === position && formerly.includes(record.summary) : record.key === key;

type PartNames = Pick<GenericStep, 'key' | 'formerly'>;

function settle(state: RunState, node: NodeId, status: NodeState['status']): void {
  const known = state.nodes.get(node);
  if (known) known.status = status;
  else state.nodes.set(node, { status, changes: NO_CHANGES });
}

const NO_CHANGES: readonly Change[] = Object.freeze([]);
