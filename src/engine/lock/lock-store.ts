/** Who holds a lock, and for what. */
export interface Holder {
  /** "ada@desk" */
  readonly owner: string;
  readonly machine: string;
  readonly pid: number;
  readonly what: string;
  readonly run: string;
  /** When it was taken, ISO 8601. */
  readonly since: string;
}

/** What came of asking for a lock. */
export type Taken =
  | { readonly type: 'taken'; readonly fence: number }
  | { readonly type: 'held'; readonly fence: number; readonly holder: Holder };

/** How a lock is asked for. */
export interface Ask {
  readonly holder: Holder;
  /** The number is not to be lower. */
  readonly atLeast: number;
  /** Without a sign of life for so long it may be taken. */
  readonly staleMs: number;
  /** This number may be taken over whatever its age: its holder is known to be dead. */
  readonly over?: number;
}

/** A place where a lock can be: numbers that are each given out once. The highest one holds it. */
export interface LockPlace {
  readonly name: string;
  /** Resolves when the place answers. */
  reach(): Promise<unknown>;
  take(ask: Ask): Promise<Taken>;
  /** A sign of life; undefined, or who has a higher number by now. */
  renew(fence: number): Promise<Holder | undefined>;
  /** With `leave` nothing of it stays behind, not even the number, where the place allows that. */
  release(fence: number, leave?: boolean): Promise<void>;
}

/** The holder that a lock file names; undefined when it was released. */
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
  owner: 'somebody',
  machine: '',
  pid: 0,
  what: 'something',
  run: 'unknown',
  since: 'an unknown time',
});

/** Took the lock over and let go of it since. */
export const GONE: Holder = Object.freeze({ ...UNKNOWN, owner: 'somebody who is done by now' });
