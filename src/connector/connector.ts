import type { Duplex } from 'node:stream';
import type { UploadSource } from './upload-source.ts';

/** Options of one script. */
export interface ExecOptions {
  readonly stdin?: string;
  /** Run as root, with sudo if the login user is not root. Default: true. */
  readonly root?: boolean;
  readonly signal?: AbortSignal;
  /** Groups scripts, so that those left running by a killed kubexm can be awaited later (`awaitOrphans`). */
  readonly group?: string;
  /** Called for each line of output as it arrives; long lines are cut. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
}

/** The result of a script. Of long output only the start and the end are kept, with a note between them. */
export interface ExecResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The destination of an upload. */
export interface UploadTarget {
  readonly path: string;
  readonly mode: number;
  /** "user:group" */
  readonly owner: string;
}

/** Access to one host. It depends only on the transport and `/bin/sh`, not on other parts of Linux. */
export interface Connector extends AsyncDisposable {
  /** Host name for messages. */
  readonly host: string;
  /** Where scripts that run as root keep their state on the host. */
  readonly rootFolders: readonly string[];
  /** Number of round trips so far, for benchmarks and tests. */
  readonly roundTrips: number;
  /** Boot id of the host when the latest shell started; a change means that the host rebooted. */
  readonly bootId: string | undefined;
  /** Runs a read-only script. Queries of the same tick share one round trip; they are repeated after a drop. */
  query(script: string, options?: Pick<ExecOptions, 'root' | 'signal'>): Promise<ExecResult>;
  /** Runs a script that makes changes, under a supervisor on the host: after a drop it is reattached, not repeated. */
  exec(script: string, options?: ExecOptions): Promise<ExecResult>;
  /** Opens and closes a second connection: an open one survives firewall rules that block new ones. */
  checkNewConnection(signal?: AbortSignal): Promise<void>;
  /** Writes a temporary file, verifies its checksum, sets mode and owner, and renames it. Resumes after a drop. */
  upload(source: UploadSource, target: UploadTarget, signal?: AbortSignal): Promise<void>;
  /** Writes a temporary file, verifies its checksum and renames it. Resumes after a drop. */
  download(remotePath: string, localPath: string, signal?: AbortSignal): Promise<void>;
  /** Connects to a TCP port on the loopback address of the host. Throws TUNNEL_FORBIDDEN if the host allows no forwarding. */
  tunnel(port: number, signal?: AbortSignal): Promise<Duplex>;
}
