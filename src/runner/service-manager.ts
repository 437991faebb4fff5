/** A unit as it is. */
export interface ServiceState {
  readonly exists: boolean;
  readonly enabled: boolean;
  /** It can be neither enabled nor disabled: something else pulls it in. */
  readonly fixed: boolean;
  /** Up and staying up: one that crashes and is started again and again is not. */
  readonly active: boolean;
  /** In systemd's words, "activating (auto-restart)". */
  readonly status: string;
  readonly masked: boolean;
  /** Its file is newer than what systemd has read. */
  readonly needsReload: boolean;
  /** The file that it is made from. */
  readonly file: string | undefined;
  /** When its process started, milliseconds since 1970. */
  readonly since?: number;
}

/** Looks after services with what the host has: systemd. */
export interface ServiceManager {
  /** Looks only. */
  state(unit: string): Promise<ServiceState>;
  /** Resolves when it is up and stays up; the error has the last lines of its log. */
  start(unit: string): Promise<void>;
  /** Resolves when it is up or on its way; for one that is not ready before others of its kind are. */
  startWithoutWaiting(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  restart(unit: string): Promise<void>;
  enable(unit: string): Promise<void>;
  disable(unit: string): Promise<void>;
  mask(unit: string): Promise<void>;
  unmask(unit: string): Promise<void>;
  reload(): Promise<void>;
  /** The last lines of its log. */
  journal(unit: string, lines: number): Promise<string>;
}
