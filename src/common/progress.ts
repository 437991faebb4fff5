/** How far a long act is. */
export interface Progress {
  /** What goes on: "Building the machine image". */
  readonly task: string;
  /** The last thing heard of it: "unpacking systemd". */
  readonly detail?: string;
  readonly done?: number;
  readonly total?: number;
}

/** Tells a person how far a long act is. */
export type ReportProgress = (progress: Progress) => void;
