import type { Parking } from './transport.ts';

/** A shell that is idle until its next script. */
export interface ParkedShell {
  readonly parking: Parking | undefined;
  readonly shell: { close(): void };
}

/** The idle shells of a host: at most one as the login user and one as root. */
export interface ShellPool<S extends ParkedShell> {
  /** Takes the idle shell, or the shell being started; undefined if there is none. */
  take(sudo: boolean): Promise<S | undefined>;
  /** Keeps a shell for its next script. Closes it if another shell is already idle. */
  put(sudo: boolean, shell: S): void;
  /** Starts a shell in advance, unless there already is one. */
  refill(sudo: boolean): void;
}

export function createShellPool<S extends ParkedShell>(
  startInAdvance: (sudo: boolean) => Promise<S | undefined>,
): ShellPool<S> {
  const waiting = new Map<boolean, Promise<S | undefined>>();
  return Object.freeze({
    async take(sudo: boolean) {
      const taken = waiting.get(sudo);
      waiting.delete(sudo);
      const shell = await taken;
      return shell?.parking?.claim() ? shell : undefined;
    },
    put(sudo: boolean, shell: S) {
      if (waiting.has(sudo) || !shell.parking) return shell.shell.close();
      shell.parking.park();
      waiting.set(sudo, Promise.resolve(shell));
    },
    refill(sudo: boolean) {
      if (waiting.has(sudo)) return;
      // Ignores errors, because the next command starts its own shell and reports the problem.
      waiting.set(
        sudo,
        startInAdvance(sudo).catch(() => undefined),
      );
    },
  });
}
