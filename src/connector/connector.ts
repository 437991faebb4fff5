import type { Duplex } from 'node:stream';
import type { UploadSource } from './upload-source.ts';

/** Options for one script. */
export interface ExecOptions {
  readonly stdin?: string;
  /** Run as root, with sudo if the login user is not root. Default: true. */
  readonly root?: boolean;
  readonly signal?: AbortSignal;
  /** Groups scripts, so that `awaitOrphans` can wait for scripts of a killed kubexm process. */
  readonly group?: string;
  /** Called for each output line as it arrives; long lines are truncated. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
}

/** The result of a script. Long output is reduced to its start and end, with a note between them. */
export interface ExecResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The destination of an upload. */
export interface UploadTarget {
  readonly path: string;
  readonly mode: number;
  /** Owner in the form "user:group". */
  readonly owner: string;
}

/** Access to one host. Requires only a transport and `/bin/sh`, and no other parts of Linux. */
export interface Connector extends AsyncDisposable {
  /** Host name in messages. */
  readonly host: string;
  /** Directories on the host for the state of scripts that run as root. */
  readonly rootFolders: readonly string[];
  /** Number of round trips so far. Used in benchmarks and tests. */
  readonly roundTrips: number;
  /** Boot ID of the host when the latest shell started. A change means that the host rebooted. */
  readonly bootId: string | undefined;
  /**
   * Runs a read-only script. Queries in the same tick share one round trip and are repeated after a connection loss.
   */
  query(script: string, options?: Pick<ExecOptions, 'root' | 'signal'>): Promise<ExecResult>;
  /**
   * Runs a script that makes changes, under a supervisor on the host. Reattaches to it after a connection loss instead
   * of repeating it.
   */
  exec(script: string, options?: ExecOptions): Promise<ExecResult>;
  /**
   * Opens and closes a second connection, because an open connection survives firewall rules that block new
   * connections.
   */
  checkNewConnection(signal?: AbortSignal): Promise<void>;
  /**
   * Writes a temporary file, verifies its checksum, sets mode and owner, and renames the file. Resumes after a
   * connection loss.
   */
  upload(source: UploadSource, target: UploadTarget, signal?: AbortSignal): Promise<void>;
  /** Writes a temporary file, verifies its checksum and renames the file. Resumes after a connection loss. */
  download(remotePath: string, localPath: string, signal?: AbortSignal): Promise<void>;
  /**
   * Connects to a TCP port on the loopback address of the host. Throws TUNNEL_FORBIDDEN if the host does not allow
   * forwarding.
   */
  tunnel(port: number, signal?: AbortSignal): Promise<Duplex>;
}
