/** The current state of a unit. */
export interface ServiceState {
  readonly exists: boolean;
  readonly enabled: boolean;
  /** It cannot be enabled or disabled, because other units start it. */
  readonly fixed: boolean;
  /** Running and stable; false for a unit in a restart loop. */
  readonly active: boolean;
  /** As systemd reports it: "activating (auto-restart)". */
  readonly status: string;
  readonly masked: boolean;
  /** The unit file changed since systemd loaded it. */
  readonly needsReload: boolean;
  /** Path of the unit file. */
  readonly file: string | undefined;
  /** When its process started, milliseconds since 1970. */
  readonly since?: number;
}

/** Manages services with systemd. */
export interface ServiceManager {
  /** Read-only. */
  state(unit: string): Promise<ServiceState>;
  /** Resolves when the unit is running and stable; the error contains the last lines of its log. */
  start(unit: string): Promise<void>;
  /** Resolves when the unit is running or starting, for services that become ready only together with their peers. */
  startWithoutWaiting(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  restart(unit: string): Promise<void>;
  enable(unit: string): Promise<void>;
  disable(unit: string): Promise<void>;
  mask(unit: string): Promise<void>;
  unmask(unit: string): Promise<void>;
  reload(): Promise<void>;
  /** The last lines of the unit's log. */
  journal(unit: string, lines: number): Promise<string>;
}
