/** A started shell that waits for its script. */
export interface IdleShell<S> {
  readonly shell: S;
  /** Takes the shell into use; false if it is already closed. */
  claim(): boolean;
  run(script: string): void;
}

/** The idle shells of a host: at most one as the login user and one as root. */
export interface ShellPool<S> {
  /** The idle shell, or the one being started; undefined if there is none. */
  take(sudo: boolean): Promise<IdleShell<S> | undefined>;
  /** Starts an idle shell unless there is one. */
  refill(sudo: boolean): void;
}

export function createShellPool<S>(startIdle: (sudo: boolean) => Promise<IdleShell<S> | undefined>): ShellPool<S> {
  const idle = new Map<boolean, Promise<IdleShell<S> | undefined>>();
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
      const shell = startIdle(sudo).catch(() => undefined);
      idle.set(sudo, shell);
    },
  });
}
