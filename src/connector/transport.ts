import type { Readable, Writable } from 'node:stream';
import type { Secret } from '../common/secret.ts';

/** A program that was started on a host, with its streams. */
export interface Channel {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its exit code; undefined when the connection went away before it came. */
  readonly closed: Promise<number | undefined>;
  close(): void;
}

/** A channel that waits for its use; the transport closes it when the place is needed. */
export interface IdleChannel extends Channel {
  /** From now on it is in use; false when it is closed already. */
  claim(): boolean;
}

/** How programs are started on one host: over SSH, or on this machine. */
export interface Transport {
  /** Name of the host, for messages. */
  readonly host: string;
  readonly user: string;
  readonly sudoPassword?: Secret | undefined;
  /** Hands a command line to the login shell; connects first when that is necessary. */
  open(command: string, signal?: AbortSignal): Promise<Channel>;
  /** The same for later, if there is a place free for it now. */
  openIdle?(command: string): Promise<IdleChannel | undefined>;
  /** Comes in by a new way, and goes; where there is only one way that is no question. */
  checkNewConnection?(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
