import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { fail, KubexmError } from '../common/errors/errors.ts';
import { abortable } from './abortable.ts';
import { connectOnce, isFinal } from './connect.ts';
import { credentialsOf, type Credential } from './credentials.ts';
import { hostKeyAlgorithms } from './host-key.ts';
import type { KnownHosts } from './known-hosts.ts';
import { endpointOf, type Target } from './target.ts';

/** The one connection to a host: made when it is first needed, and again after it dropped. */
export class SshConnection {
  readonly target: Target;
  readonly #known: KnownHosts;
  readonly #via: SshConnection | undefined;
  readonly #closing = new AbortController();
  #client: Promise<Client> | undefined;
  #credentials: Promise<readonly Credential[]> | undefined;
  /** Credentials that were refused are not shown again. */
  #refusal: unknown;
  #wasIn = false;
  readonly #isJump: boolean;

  constructor(target: Target, known: KnownHosts, via: SshConnection | undefined, { isJump = false } = {}) {
    this.target = target;
    this.#isJump = isJump;
    this.#known = known;
    this.#via = via;
  }

  client(signal?: AbortSignal): Promise<Client> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    this.#client ??= this.#connect();
    return abortable(this.#client, signal);
  }

  /** A way to another host through this one. */
  async through({ address, port }: Target, signal?: AbortSignal): Promise<Duplex> {
    const client = await this.client(signal);
    return new Promise((resolve, reject) => {
      client.forwardOut('127.0.0.1', 0, address, port, (error, stream) => (error ? reject(error) : resolve(stream)));
    });
  }

  async close(): Promise<void> {
    // No drop: what is still under way is not to be tried again.
    this.#closing.abort(fail('INTERRUPTED', {}));
    const client = await this.#client?.catch(() => undefined);
    client?.end();
    client?.destroy();
  }

  async #connect(): Promise<Client> {
    try {
      const client = await this.#insist();
      const forget = () => (this.#client = undefined);
      client.once('close', forget);
      this.#wasIn = true;
      if (this.#isJump) await hurry(client);
      return client;
    } catch (error) {
      this.#client = undefined;
      if (error instanceof KubexmError && FINAL_CODES.has(error.code)) this.#refusal = error;
      throw error;
    }
  }

  /** Tries until the time is up; what time does not mend is thrown at once. */
  async #insist(): Promise<Client> {
    const { name: host, timeoutMs } = this.target;
    const end = Date.now() + timeoutMs;
    for (let pause = 200; ; pause = Math.min(pause * 2, 5000)) {
      try {
        return await this.#attempt(Math.min(Math.max(1000, end - Date.now()), ATTEMPT_MS));
      } catch (error) {
        this.#closing.signal.throwIfAborted();
        // A host that let us in before and does not now is starting or stopping: it forbids logins for a while.
        const passing = this.#wasIn && error instanceof KubexmError && error.code === 'AUTH_FAILED';
        const late = Date.now() + pause >= end;
        if (!passing && error instanceof KubexmError) throw error;
        if (late || (!passing && isFinal(error))) {
          const reason = error instanceof Error ? error.message : String(error);
          const seconds = Math.round(timeoutMs / 1000);
          throw fail('HOST_UNREACHABLE', { host, address: endpointOf(this.target), seconds, reason }, error);
        }
      }
      // Not all at the same moment: a host may turn away logins that come in crowds.
      await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal: this.#closing.signal });
    }
  }

  async #attempt(timeoutMs: number): Promise<Client> {
    this.#credentials ??= credentialsOf(this.target);
    const credentials = await this.#credentials;
    const kinds = await hostKeyAlgorithms(this.target, this.#known);
    let last: unknown;
    for (const hostKeyKinds of kinds) {
      try {
        const through = await this.#via?.through(this.target, this.#closing.signal);
        const attempt = { target: this.target, known: this.#known, credentials, hostKeyKinds, timeoutMs, through };
        return await connectOnce(attempt);
      } catch (error) {
        if (!isOtherKind(error)) throw error;
        // The first says more: that key is what the host prefers to show.
        last ??= error;
      }
    }
    throw last;
  }
}

/** sshd sends small packets at once only after it was asked for a terminal; it is the other half of no-delay. */
const hurry = (client: Client): Promise<void> =>
  new Promise((resolve) => {
    client.once('close', () => resolve());
    setTimeout(resolve, HURRY_MS).unref(); // a host that only lets others through may never answer
    client.exec('true', { pty: true }, (error, channel) => {
      if (error) return resolve();
      channel.once('close', () => resolve()).resume();
      channel.stderr.resume();
    });
  });

/** With several kinds to try, the next one may be what is pinned. */
const isOtherKind = (error: unknown) =>
  error instanceof KubexmError
    ? error.code === 'HOST_KEY_CHANGED'
    : error instanceof Error && /no matching host key/i.test(error.message);

const ATTEMPT_MS = 15_000;
const HURRY_MS = 3000;

const FINAL_CODES: ReadonlySet<string> = new Set([
  'AUTH_FAILED',
  'HOST_KEY_CHANGED',
  'KEY_UNREADABLE',
  'KEY_NEEDS_PASSPHRASE',
]);
