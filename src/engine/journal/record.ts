import { crc32 } from 'node:zlib';
import type { Json } from '../../common/json.ts';
import type { NodeId } from '../../plan/graph.ts';

/** One line of a journal. Never holds a secret: what `remember` gives is plain by contract, errors leave their code only. */
export type JournalRecord =
  | {
      readonly type: 'begun' | 'resumed';
      readonly run: string;
      readonly pipeline: string;
      readonly at: string;
      /** Of the lock: a higher number came later. */
      readonly fence: number;
    }
  /** What the run is made from, each time before it begins or goes on. */
  | { readonly type: 'source'; readonly digest: string }
  | { readonly type: 'host'; readonly host: string; readonly boot: string }
  /** Written before a part of a step changes the host, with what was there. */
  | {
      readonly type: 'change';
      readonly node: NodeId;
      /** Its position in the step. */
      readonly part: number;
      /** Identifies the part; journals written before keys existed have none. */
      readonly key?: string;
      /** For people, and the identity of the part where there is no key. */
      readonly summary: string;
      readonly before?: Json;
    }
  | { readonly type: 'done'; readonly node: NodeId; readonly ms: number }
  | { readonly type: 'skipped'; readonly node: NodeId }
  | { readonly type: 'failed' | 'quarantined'; readonly node: NodeId; readonly code: string }
  /** Written before a step is undone, and after. */
  | { readonly type: 'undoing' | 'undone'; readonly node: NodeId }
  | { readonly type: 'ended'; readonly outcome: string; readonly at: string };

/** The line for a record: JSON whose first two fields are a sum of the rest and a number that counts up. */
export function encode(record: JournalRecord, number: number): string {
  const body = `"n":${number},${JSON.stringify(record).slice(1)}`;
  return `{"check":"${sumOf(body)}",${body}\n`;
}

/** The record of a line, undefined when the line is not what was written or not the one that comes next. */
export function decode(line: string, number: number): JournalRecord | undefined {
  const match = /^\{"check":"([0-9a-f]{8})",("n":(\d+),.*)$/s.exec(line);
  if (!match || Number(match[3]) !== number || sumOf(match[2]!) !== match[1]) return undefined;
  return JSON.parse(line);
}

const sumOf = (text: string) => crc32(text).toString(16).padStart(8, '0');
