import type { Parking } from './transport.ts';

/** A started shell that waits for its next script. */
export interface ParkedShell {
  readonly parking: Parking | undefined;
  readonly shell: { close(): void };
}

/** The shells of a host that wait for a script: at most one as the login user and one as root. */
export interface ShellPool<S extends ParkedShell> {
  /** The waiting shell, or the one being started; undefined if there is none. */
  take(sudo: boolean): Promise<S | undefined>;
  /** Keeps a shell for its next script; closes it if another one waits already. */
  put(sudo: boolean, shell: S): void;
  /** Starts a shell in advance unless there is one. */
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
      // Errors are ignored: the next command starts its own shell and reports what is wrong.
      waiting.set(
        sudo,
        startInAdvance(sudo).catch(() => undefined),
      );
    },
  });
}
