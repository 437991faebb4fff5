import type { Duplex, Readable, Writable } from 'node:stream';
import type { Secret } from '../common/secret.ts';

/** A command started on a host, with its streams. */
export interface Channel {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves to the exit code, or to undefined if the connection was lost before it arrived. */
  readonly closed: Promise<number | undefined>;
  close(): void;
  /** Undefined if the channel cannot be parked. */
  readonly parking?: Parking;
}

/** Parks a channel for its next use. The transport closes a parked channel if another channel needs its slot. */
export interface Parking {
  park(): void;
  /** Takes the parked channel back into use. Returns false if it is already closed. */
  claim(): boolean;
}

/** Starts commands on one host, over SSH or locally. */
export interface Transport {
  /** Host name in messages. */
  readonly host: string;
  readonly user: string;
  readonly sudoPassword?: Secret | undefined;
  /** Directories for the state of scripts that run as root, instead of ROOT_FOLDERS. */
  readonly rootFolders?: readonly string[];
  /** Runs a command line in the login shell. Connects first if necessary. */
  open(command: string, signal?: AbortSignal): Promise<Channel>;
  /** Opens a parked channel. Returns undefined if no slot is free. */
  openParked?(command: string): Promise<Channel | undefined>;
  /** Opens and closes a second connection. Undefined for transports without connections. */
  checkNewConnection?(signal?: AbortSignal): Promise<void>;
  /** Connects to a TCP port on the loopback address of the host. */
  tunnel(port: number, signal?: AbortSignal): Promise<Duplex>;
  close(): Promise<void>;
}
