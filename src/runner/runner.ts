import type { ExecResult } from '../connector/connector.ts';
import type { UploadSource } from '../connector/upload-source.ts';
import type { Command, RunOptions } from './command.ts';
import type { Facts } from './facts.ts';
import type { PackageManager } from './package-manager.ts';
import type { ServiceManager } from './service-manager.ts';

/** The metadata of an existing path. */
export interface PathState {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly mode: number;
  /** "user:group"; a numeric id where there is no name. */
  readonly owner: string;
  /** Numeric owner, "0:0". */
  readonly ids: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Of a symlink. */
  readonly target?: string;
}

/** A file to write: content and attributes. */
export interface FileContent {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  /** "user:group" */
  readonly owner: string;
}

export type { UploadSource };

/** Operations on one host. Read-only calls made in the same tick share one round trip, so start them together. */
export interface Runner {
  readonly host: string;
  readonly facts: Facts;
  readonly packages: PackageManager;
  readonly services: ServiceManager;
  /** Runs a read-only command; resolves for any exit code. */
  query(command: Command): Promise<ExecResult>;
  /** Runs a read-only command; true when it exits with 0. */
  test(command: Command): Promise<boolean>;
  stat(path: string): Promise<PathState | undefined>;
  /** The content of a file, undefined if it does not exist. */
  read(path: string): Promise<string | undefined>;
  sha256(path: string): Promise<string | undefined>;
  /** Runs a command that changes the host; a nonzero exit code is COMMAND_FAILED. */
  run(command: Command, options?: RunOptions): Promise<ExecResult>;
  /** Writes a file atomically: temporary file, sync, rename. */
  write(file: FileContent): Promise<void>;
  /** Throws if the host no longer accepts new connections. */
  checkNewConnection(signal?: AbortSignal): Promise<void>;
  upload(source: UploadSource, target: Omit<FileContent, 'content'>, signal?: AbortSignal): Promise<void>;
  download(remotePath: string, localPath: string, signal?: AbortSignal): Promise<void>;
}
