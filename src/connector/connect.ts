import ssh2, { type Client, type ServerHostKeyAlgorithm } from 'ssh2';
import type { Duplex } from 'node:stream';
import { fail, KubexmError } from '../common/errors/errors.ts';
import type { Credential } from './credentials.ts';
import { checkHostKey } from './host-key.ts';
import { keyText, type KnownHosts } from './known-hosts.ts';
import { endpointOf, type Target } from './target.ts';

/** The parameters of one connection attempt. */
export interface ConnectAttempt {
  readonly target: Target;
  readonly known: KnownHosts;
  readonly credentials: readonly Credential[];
  readonly hostKeyAlgorithms: readonly ServerHostKeyAlgorithm[];
  readonly timeoutMs: number;
  /** A TCP socket, or a stream through a jump host. */
  readonly through: Duplex;
}

/**
 * Makes one connection attempt. Throws a KubexmError if a retry cannot succeed; all other errors are thrown unchanged.
 */
export function connectOnce(attempt: ConnectAttempt): Promise<Client> {
  const { target, through, timeoutMs } = attempt;
  const client = new ssh2.Client();
  client.setMaxListeners(0); // each channel adds listeners
  const offers = credentialOffers(attempt.credentials);
  let hostKeyError: unknown;
  return new Promise((resolve, reject) => {
    const giveUp = (error: unknown) => {
      client.destroy();
      reject(hostKeyError ?? error);
    };
    // The listener is never removed, because ssh2 may emit a second error, and an unhandled error ends the process.
    client.on('error', (error) => {
      if (error.level !== 'agent') giveUp(isAuthFailure(error) ? authFailed(target, offers.tried(), error) : error);
    });
    client.once('close', () => giveUp(new Error('the host closed the connection')));
    client.once('ready', () => resolve(client));
    client.connect({
      sock: through,
      username: target.user,
      readyTimeout: timeoutMs,
      keepaliveInterval: 5000,
      keepaliveCountMax: 3,
      algorithms: { serverHostKey: [...attempt.hostKeyAlgorithms] },
      hostVerifier: (raw: Buffer, verify: (valid: boolean) => void) => {
        void checkHostKey(target, attempt.known, keyText(raw)).then(
          () => verify(true),
          (error: unknown) => {
            hostKeyError = error;
            verify(false);
          },
        );
      },
      // Returns the method instead of passing it to the callback, whose type does not allow `false` to end
      // authentication.
      authHandler: (accepted) => offers.next(accepted),
    });
  });
}

/** Returns whether a retry cannot succeed. */
export const isFinal = (error: unknown): boolean =>
  error instanceof KubexmError || /no matching|ENOTFOUND|EACCES/.test(error instanceof Error ? error.message : '');

/** Offers each credential only once, with a method that the host accepts. */
function credentialOffers(credentials: readonly Credential[]) {
  const left = [...credentials];
  const tried: string[] = [];
  let askedForMethods = false;
  return {
    tried: () => tried.join(', ') || 'nothing, because no key, password or agent is available',
    next(accepted: readonly string[] | null) {
      // The host responds to "none" with the methods that it accepts.
      if (!askedForMethods) {
        askedForMethods = true;
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
  fail(
    'AUTH_FAILED',
    { host: target.name, address: endpointOf(target), user: target.user, tried, note: target.loginNote ?? '' },
    cause,
  );
