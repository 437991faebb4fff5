import { crc32 } from 'node:zlib';
import type { Json } from '../../common/json.ts';
import type { NodeId } from '../../plan/graph.ts';

/**
 * A line in a journal. It never contains a secret, because `remember` must not return secrets, and only the code of an
 * error is recorded.
 */
export type JournalRecord =
  | {
      readonly type: 'begun' | 'resumed';
      readonly run: string;
      readonly pipeline: string;
      readonly at: string;
      /** The fencing token of the lock. Later runs have higher tokens. */
      readonly fence: number;
    }
  /** A digest of the plan inputs, written each time before the run starts or resumes. */
  | { readonly type: 'source'; readonly digest: string }
  | { readonly type: 'host'; readonly host: string; readonly boot: string }
  /** Written before a part of a step changes the host, with the original state. */
  | {
      readonly type: 'change';
      readonly node: NodeId;
      /** Position of the part in the step. */
      readonly part: number;
      /** Key of the part; missing in journals written before keys existed. */
      readonly key?: string;
      /** Summary of the part; present only in journals written before keys existed. */
      readonly summary?: string;
      readonly before?: Json;
    }
  | { readonly type: 'done'; readonly node: NodeId; readonly ms: number }
  | { readonly type: 'skipped'; readonly node: NodeId }
  | { readonly type: 'failed' | 'quarantined'; readonly node: NodeId; readonly code: string }
  /** Written before and after a step is undone. */
  | { readonly type: 'undoing' | 'undone'; readonly node: NodeId }
  | { readonly type: 'ended'; readonly outcome: string; readonly at: string };

/** Encodes a record as JSON whose first two fields are a checksum of the rest and a sequence number. */
export function encode(record: JournalRecord, number: number): string {
  const body = `"n":${number},${JSON.stringify(record).slice(1)}`;
  return `{"check":"${checksumOf(body)}",${body}\n`;
}

/** Decodes a line. Returns undefined if its checksum does not match or it is not the next in sequence. */
export function decode(line: string, number: number): JournalRecord | undefined {
  const match = /^\{"check":"([0-9a-f]{8})",("n":(\d+),.*)$/s.exec(line);
  if (!match || Number(match[3]) !== number || checksumOf(match[2]!) !== match[1]) return undefined;
  return JSON.parse(line);
}

const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0');
