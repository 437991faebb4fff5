/** How nodes are drained. */
export interface DrainOptions {
  /** How long the drain of one node may take. */
  readonly timeoutMs: number;
  /** Seconds that each pod gets to stop; its own setting if undefined. */
  readonly gracePeriodSeconds: number | undefined;
  /** Also evict pods without a controller, which nothing starts again. */
  readonly force: boolean;
  /** Also evict pods with emptyDir volumes, whose content is lost. */
  readonly deleteEmptyDirData: boolean;
  /** Wait until the pods are gone; otherwise only until their deletion has begun. */
  readonly wait: boolean;
}

/** The defaults of the command line. */
export const DRAIN_DEFAULTS: DrainOptions = {
  timeoutMs: 600_000,
  gracePeriodSeconds: undefined,
  force: false,
  deleteEmptyDirData: false,
  wait: true,
};
