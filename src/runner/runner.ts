import type { ExecResult } from '../connector/connector.ts';
import type { ReadableLike } from '../connector/readable.ts';
import type { Command } from './command.ts';
import type { Facts } from './facts.ts';
import type { PackageManager } from './package-manager.ts';
import type { ServiceManager } from './service-manager.ts';

/** What stands at a path. */
export interface PathState {
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  readonly mode: number;
  /** "user:group"; a number where an id has no name. */
  readonly owner: string;
  /** The same as numbers, "0:0". */
  readonly ids: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Of a symlink. */
  readonly target?: string;
}

/** A file with all that makes it what it is. */
export interface FileContent {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  /** "user:group" */
  readonly owner: string;
}

/** What can be uploaded. */
export type UploadSource = ReadableLike;

/** How a command is to be run. */
export interface RunOptions {
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
}

/** Verbs on one host. What only looks is batched by the connector: ask for things together, in one tick. */
export interface Runner {
  readonly host: string;
  readonly facts: Facts;
  readonly packages: PackageManager;
  readonly services: ServiceManager;
  /** Looks; resolves whatever the exit code is. */
  look(command: Command): Promise<ExecResult>;
  /** Looks; true when the command says yes. */
  test(command: Command): Promise<boolean>;
  stat(path: string): Promise<PathState | undefined>;
  /** The content of a file, undefined when there is none. */
  read(path: string): Promise<string | undefined>;
  sha256(path: string): Promise<string | undefined>;
  /** Changes something; an exit code other than 0 is COMMAND_FAILED. */
  run(command: Command, options?: RunOptions): Promise<ExecResult>;
  /** Beside, synced, renamed. */
  write(file: FileContent): Promise<void>;
  /** Reaches the host by a new connection; throws when it lets none in any more. */
  knock(signal?: AbortSignal): Promise<void>;
  upload(source: UploadSource, target: Omit<FileContent, 'content'>, signal?: AbortSignal): Promise<void>;
  download(remotePath: string, localPath: string, signal?: AbortSignal): Promise<void>;
}
