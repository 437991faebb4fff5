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
  /** Owner in the form "user:group"; a numeric ID if there is no name. */
  readonly owner: string;
  /** Numeric owner, such as "0:0". */
  readonly ids: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Target of a symlink. */
  readonly target?: string;
}

/** The content and attributes of a file to write. */
export interface FileContent {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  /** Owner in the form "user:group". */
  readonly owner: string;
}

export type { UploadSource };

/** Operations on one host. Read-only calls made in the same tick share one round trip, so start them together. */
export interface Runner {
  readonly host: string;
  readonly facts: Facts;
  readonly packages: PackageManager;
  readonly services: ServiceManager;
  /** Runs a read-only command. Resolves for any exit code. */
  query(command: Command): Promise<ExecResult>;
  /** Runs a read-only command. Returns whether it exits with 0. */
  test(command: Command): Promise<boolean>;
  stat(path: string): Promise<PathState | undefined>;
  /** Returns the content of a file, or undefined if it does not exist. */
  read(path: string): Promise<string | undefined>;
  sha256(path: string): Promise<string | undefined>;
  /** Runs a command that changes the host. Throws COMMAND_FAILED for a nonzero exit code. */
  run(command: Command, options?: RunOptions): Promise<ExecResult>;
  /** Writes a file atomically, with a temporary file, sync and rename. */
  write(file: FileContent): Promise<void>;
  /** Throws if the host no longer accepts new connections. */
  checkNewConnection(signal?: AbortSignal): Promise<void>;
  upload(source: UploadSource, target: Omit<FileContent, 'content'>, signal?: AbortSignal): Promise<void>;
  download(remotePath: string, localPath: string, signal?: AbortSignal): Promise<void>;
}
