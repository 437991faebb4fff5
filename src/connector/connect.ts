import ssh2, { type Client, type ServerHostKeyAlgorithm } from 'ssh2';
import type { Duplex } from 'node:stream';
import { fail, KubexmError } from '../common/errors/errors.ts';
import type { Credential } from './credentials.ts';
import { checkHostKey } from './host-key.ts';
import { keyText, type KnownHosts } from './known-hosts.ts';
import { endpointOf, type Target } from './target.ts';

/** What one attempt to connect is made with. */
export interface Attempt {
  readonly target: Target;
  readonly known: KnownHosts;
  readonly credentials: readonly Credential[];
  readonly hostKeyKinds: readonly ServerHostKeyAlgorithm[];
  readonly timeoutMs: number;
  /** A way through a jump host, instead of a socket. */
  readonly through: Duplex | undefined;
}

/** Connects once. What cannot be mended by waiting is thrown as an error of the catalog, all else as it came. */
export function connectOnce(attempt: Attempt): Promise<Client> {
  const { target, through, timeoutMs } = attempt;
  const client = new ssh2.Client();
  client.setMaxListeners(0); // each channel listens for its end
  const offers = offersOf(attempt.credentials);
  let refusal: unknown;
  return new Promise((resolve, reject) => {
    const give = (error: unknown) => {
      client.destroy();
      reject(refusal ?? error);
    };
    // For good: ssh2 may tell of an error twice, and one that nobody hears ends the process.
    client.on('error', (error) => {
      if (error.level !== 'agent') give(isAuthFailure(error) ? authFailed(target, offers.tried(), error) : error);
    });
    // Without it each command would wait 40 ms for packets to be filled.
    client.once('connect', () => client.setNoDelay(true));
    client.once('close', () => give(new Error('the host closed the connection')));
    client.once('ready', () => resolve(client));
    client.connect({
      ...(through ? { sock: through } : { host: target.address, port: target.port }),
      username: target.user,
      readyTimeout: timeoutMs,
      keepaliveInterval: 5000,
      keepaliveCountMax: 3,
      algorithms: { serverHostKey: [...attempt.hostKeyKinds] },
      hostVerifier: (raw: Buffer, verify: (valid: boolean) => void) => {
        void checkHostKey(target, attempt.known, keyText(raw)).then(
          () => verify(true),
          (error: unknown) => {
            refusal = error;
            verify(false);
          },
        );
      },
      // By its result, for the types do not know that `false` ends it.
      authHandler: (accepted) => offers.next(accepted),
    });
  });
}

/** Whether waiting and trying again cannot help. */
export const isFinal = (error: unknown): boolean =>
  error instanceof KubexmError || /no matching|ENOTFOUND|EACCES/.test(error instanceof Error ? error.message : '');

/** Offers each credential once, and only in a way that the host accepts. */
function offersOf(credentials: readonly Credential[]) {
  const left = [...credentials];
  const tried: string[] = [];
  let asked = false;
  return {
    tried: () => tried.join(', ') || 'nothing, for there is neither key nor password nor agent',
    next(accepted: readonly string[] | null) {
      // The first question is what the host accepts at all.
      if (!asked) {
        asked = true;
        return 'none' as const;
      }
      for (let credential = left.shift(); credential; credential = left.shift()) {
        const offer = credential.offer(accepted ?? []);
        if (!offer) continue;
        tried.push(credential.label);
        return offer;
      }
      return false;
    },
  };
}

const isAuthFailure = (error: Error & { readonly level?: string }) =>
  error.level === 'client-authentication' || /too many authentication failures/i.test(error.message);

const authFailed = (target: Target, tried: string, cause: unknown) =>
  fail('AUTH_FAILED', { host: target.name, address: endpointOf(target), user: target.user, tried }, cause);
