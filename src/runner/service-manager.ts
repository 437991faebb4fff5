/** A unit as it is. */
export interface ServiceState {
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly active: boolean;
  /** When it became active, milliseconds since 1970. */
  readonly since?: number;
}

/** Looks after services with what the host has: systemd. */
export interface ServiceManager {
  /** Looks only. */
  state(unit: string): Promise<ServiceState>;
  start(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  restart(unit: string): Promise<void>;
  enable(unit: string): Promise<void>;
  disable(unit: string): Promise<void>;
  reload(): Promise<void>;
  /** The last lines of its log. */
  journal(unit: string, lines: number): Promise<string>;
}
