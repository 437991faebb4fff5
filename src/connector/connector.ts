/** How one command is to be run. */
export interface ExecOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with each line of output as it comes. */
  readonly onLine?: (line: string) => void;
}

/** What a command left behind. */
export interface ExecResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A way to reach one host. It knows transport, and nothing of Linux. */
export interface Connector {
  /** Resolves whatever the exit code is; rejects only when the host cannot be reached. */
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
}
