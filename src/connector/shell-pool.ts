import type { Shell, ShellHost } from './shell.ts';

/** A shell that waits for its script. */
export interface WarmShell {
  readonly shell: Shell;
  /** From now on it is in use; false when it is gone already. */
  claim(): boolean;
  run(script: string): void;
}

/** The shells of a host that wait for a script: at most one as the user, one as root. */
export interface ShellPool {
  /** The one that is ready, or about to be. */
  take(sudo: boolean): Promise<WarmShell | undefined>;
  /** Starts one for later, unless there is one. */
  prepare(sudo: boolean): void;
}

export function createShellPool(
  transport: ShellHost,
  warmUp: (transport: ShellHost, sudo: boolean) => Promise<WarmShell | undefined>,
): ShellPool {
  const spares = new Map<boolean, Promise<WarmShell | undefined>>();
  return Object.freeze({
    async take(sudo: boolean) {
      const spare = spares.get(sudo);
      spares.delete(sudo);
      const shell = await spare;
      return shell?.claim() ? shell : undefined;
    },
    prepare(sudo: boolean) {
      // Better none than an error: whoever needs a shell starts one, and is told what is wrong.
      if (!spares.has(sudo))
        spares.set(
          sudo,
          warmUp(transport, sudo).catch(() => undefined),
        );
    },
  });
}
