import type { UploadSource } from './upload-source.ts';

/** How one script is to be run. */
export interface ExecOptions {
  readonly stdin?: string;
  /** As root, by sudo when the user is another one. On by default. */
  readonly root?: boolean;
  readonly signal?: AbortSignal;
  /** Whose it is: what it began and did not see the end of can be waited for later. */
  readonly group?: string;
  /** Called with each line of output as it comes. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
}

/** What a script left behind. */
export interface ExecResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A file to be put on a host. */
export interface UploadTarget {
  readonly path: string;
  readonly mode: number;
  /** "user:group" */
  readonly owner: string;
}

/** A way to reach one host. It knows transport and `/bin/sh`, and nothing else of Linux. */
export interface Connector extends AsyncDisposable {
  /** Name of the host, for messages. */
  readonly host: string;
  /** How often something was asked of the host; benchmarks and tests count these. */
  readonly roundTrips: number;
  /** Of the boot in which the newest shell was started; every shell tells it as it starts. */
  readonly bootId: string | undefined;
  /** Runs a script that only looks. Looks of the same tick travel as one; after a drop they are asked again. */
  query(script: string, options?: Pick<ExecOptions, 'root' | 'signal'>): Promise<ExecResult>;
  /** Runs a script that changes something: supervised on the host, found again after a drop, never run twice. */
  exec(script: string, options?: ExecOptions): Promise<ExecResult>;
  /** Reaches the host by a new connection, as the next command would: one that is open may live on where no new one is let in. */
  checkNewConnection(signal?: AbortSignal): Promise<void>;
  /** Beside the target, sum compared there, mode and owner, rename. Goes on where a drop ended it. */
  upload(source: UploadSource, target: UploadTarget, signal?: AbortSignal): Promise<void>;
  /** Beside the local path, sum compared, rename. */
  download(remotePath: string, localPath: string, signal?: AbortSignal): Promise<void>;
}
