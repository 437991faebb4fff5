import type { Session } from '../../runtime/session/session.ts';

/** Opens the session of the run on first use. For commands whose plan depends on the state of the cluster. */
export type OpenSession = () => Promise<Session>;

/** Creates a session that is opened at most once, and closed if it was opened. */
export function lazySession(open: OpenSession): AsyncDisposable & { readonly open: OpenSession } {
  let session: Promise<Session> | undefined;
  return {
    open: () => (session ??= open()),
    [Symbol.asyncDispose]: async () => {
      const opened = await session?.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
