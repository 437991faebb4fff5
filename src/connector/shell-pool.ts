import type { Shell, ShellHost } from './shell.ts';

/** A started shell that waits for its script. */
export interface IdleShell {
  readonly shell: Shell;
  /** Takes the shell into use; false if it is already closed. */
  claim(): boolean;
  run(script: string): void;
}

/** The idle shells of a host: at most one as the login user and one as root. */
export interface ShellPool {
  /** The idle shell, or the one being started; undefined if there is none. */
  take(sudo: boolean): Promise<IdleShell | undefined>;
  /** Starts an idle shell unless there is one. */
  refill(sudo: boolean): void;
}

export function createShellPool(
  transport: ShellHost,
  startIdle: (transport: ShellHost, sudo: boolean) => Promise<IdleShell | undefined>,
): ShellPool {
  const idle = new Map<boolean, Promise<IdleShell | undefined>>();
  return Object.freeze({
    async take(sudo: boolean) {
      const taken = idle.get(sudo);
      idle.delete(sudo);
      const shell = await taken;
      return shell?.claim() ? shell : undefined;
    },
    refill(sudo: boolean) {
      if (idle.has(sudo)) return;
      // Errors are ignored: the next command starts its own shell and reports what is wrong.
      const shell = startIdle(transport, sudo).catch(() => undefined);
      idle.set(sudo, shell);
    },
  });
}
