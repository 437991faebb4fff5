import type { Duplex, Readable, Writable } from 'node:stream';
import type { Secret } from '../common/secret.ts';

/** A command started on a host, with its streams. */
export interface Channel {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit code; undefined if the connection was lost before it arrived. */
  readonly closed: Promise<number | undefined>;
  close(): void;
  /** Undefined if the channel cannot wait unused. */
  readonly parking?: Parking;
}

/** How a channel waits for its next use. The transport closes a parked channel if another one needs its slot. */
export interface Parking {
  park(): void;
  /** Takes the parked channel into use; false if it is already closed. */
  claim(): boolean;
}

/** Starts commands on one host, over SSH or locally. */
export interface Transport {
  /** Host name for messages. */
  readonly host: string;
  readonly user: string;
  readonly sudoPassword?: Secret | undefined;
  /** Where scripts that run as root keep their state, instead of ROOT_FOLDERS. */
  readonly rootFolders?: readonly string[];
  /** Runs a command line in the login shell; connects first if necessary. */
  open(command: string, signal?: AbortSignal): Promise<Channel>;
  /** Opens a parked channel; undefined if no slot is free. */
  openParked?(command: string): Promise<Channel | undefined>;
  /** Opens and closes a second connection; undefined for transports without connections. */
  checkNewConnection?(signal?: AbortSignal): Promise<void>;
  /** Connects to a TCP port on the loopback address of the host. */
  tunnel(port: number, signal?: AbortSignal): Promise<Duplex>;
  close(): Promise<void>;
}
