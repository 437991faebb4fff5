/** The current state of a unit. */
export interface ServiceState {
  readonly exists: boolean;
  readonly enabled: boolean;
  /** The unit cannot be enabled or disabled, because other units start it. */
  readonly fixed: boolean;
  /** Whether the unit is running and stable. False for a unit in a restart loop. */
  readonly active: boolean;
  /** The state as systemd reports it, such as "activating (auto-restart)". */
  readonly status: string;
  readonly masked: boolean;
  /** Whether the unit file changed since systemd loaded it. */
  readonly needsReload: boolean;
  /** Path of the unit file. */
  readonly file: string | undefined;
  /** Start time of the main process, in milliseconds since 1970. */
  readonly since?: number;
}

/** Manages services with systemd. */
export interface ServiceManager {
  /** Returns the state of units without changing anything. */
  state(unit: string): Promise<ServiceState>;
  /** Resolves when the unit is running and stable. The error contains the last lines of the log. */
  start(unit: string): Promise<void>;
  /** Resolves when the unit is running or starting, for services that become ready only with their peers. */
  startWithoutWaiting(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  restart(unit: string): Promise<void>;
  enable(unit: string): Promise<void>;
  disable(unit: string): Promise<void>;
  mask(unit: string): Promise<void>;
  unmask(unit: string): Promise<void>;
  reload(): Promise<void>;
  /** Returns the last log lines of the unit. */
  journal(unit: string, lines: number): Promise<string>;
}
