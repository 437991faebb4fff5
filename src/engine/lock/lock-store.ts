/** The holder of a lock and its command. */
export interface Holder {
  /** User and machine, such as "ada@desk". */
  readonly owner: string;
  readonly machine: string;
  readonly pid: number;
  readonly what: string;
  readonly run: string;
  /** When the lock was acquired (ISO 8601). */
  readonly since: string;
}

/** The response to a lock request. */
export type LockAnswer =
  | { readonly type: 'taken'; readonly fence: number }
  | { readonly type: 'held'; readonly fence: number; readonly holder: Holder };

/** A request for a lock. */
export interface LockRequest {
  readonly holder: Holder;
  /** The minimum fencing token. */
  readonly atLeast: number;
  /** A lock without a heartbeat for this long may be taken over. */
  readonly staleMs: number;
  /** The lock with this fencing token may be taken over at any age, because its holder has exited. */
  readonly over?: number;
}

/** A location that stores a lock as fencing tokens, each issued only once. The highest token holds the lock. */
export interface LockStore {
  readonly name: string;
  /** Resolves when the location is reachable. */
  reach(): Promise<unknown>;
  take(request: LockRequest): Promise<LockAnswer>;
  /** Sends a heartbeat. Returns the new holder if the lock was taken over. */
  renew(fence: number): Promise<Holder | undefined>;
  /** Releases the lock. With `remove`, also deletes the fencing token if the location supports it. */
  release(fence: number, remove?: boolean): Promise<void>;
}

/** Parses the holder in a lock file. Returns undefined if the lock was released. */
export function parseHolder(text: string): Holder | undefined {
  if (text.trim() === '') return undefined;
  const value: unknown = parse(text);
  return isHolder(value) ? value : UNKNOWN;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' &&
  value !== null &&
  ['owner', 'machine', 'what', 'run', 'since'].every((key) => typeof Reflect.get(value, key) === 'string');

const UNKNOWN: Holder = Object.freeze({
  owner: 'an unknown user',
  machine: '',
  pid: 0,
  what: 'an unknown command',
  run: 'unknown',
  since: 'an unknown time',
});

/** The holder to report if another operator took over the lock and has already released it. */
export const GONE: Holder = Object.freeze({ ...UNKNOWN, owner: 'a user whose run has ended' });
