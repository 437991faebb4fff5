/** The progress of a long operation. */
export interface Progress {
  /** The operation, such as "Building the machine image". */
  readonly task: string;
  /** The current activity, such as "unpacking systemd". */
  readonly detail?: string;
  readonly done?: number;
  readonly total?: number;
}

/** Shows progress to the user. */
export type ReportProgress = (progress: Progress) => void;
