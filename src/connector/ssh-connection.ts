import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { fail, KubexmError } from '../common/errors/errors.ts';
import { abortable } from './abortable.ts';
import { connectOnce, isFinal } from './connect.ts';
import { inLoginSlot, openSocket, type SlotWait } from './connection-slots.ts';
import { credentialsOf, type Credential } from './credentials.ts';
import { hostKeyAlgorithms } from './host-key.ts';
import type { KnownHosts } from './known-hosts.ts';
import { endpointOf, type Target } from './target.ts';

/** The SSH connection to a host. It is opened on first use and reopened after a connection loss. */
export class SshConnection {
  readonly target: Target;
  readonly #known: KnownHosts;
  readonly #via: SshConnection | undefined;
  readonly #closing = new AbortController();
  #client: Promise<Client> | undefined;
  #credentials: Promise<readonly Credential[]> | undefined;
  /** An error that a retry cannot fix, such as rejected credentials, which must not be offered again. */
  #finalError: unknown;
  #hasConnected = false;
  readonly #isJump: boolean;

  constructor(target: Target, known: KnownHosts, via: SshConnection | undefined, { isJump = false } = {}) {
    this.target = target;
    this.#isJump = isJump;
    this.#known = known;
    this.#via = via;
  }

  client(signal?: AbortSignal): Promise<Client> {
    if (this.#finalError !== undefined) return Promise.reject(this.#finalError);
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    this.#client ??= this.#connect();
    return abortable(this.#client, signal);
  }

  /** Opens a stream to another host through this host. */
  async forwardTo({ address, port }: Target, signal?: AbortSignal): Promise<Duplex> {
    const client = await this.client(signal);
    return new Promise((resolve, reject) => {
      client.forwardOut('127.0.0.1', 0, address, port, (error, stream) => (error ? reject(error) : resolve(stream)));
    });
  }

  async close(): Promise<void> {
    // Uses INTERRUPTED instead of CONNECTION_LOST, so that operations in progress are not retried.
    this.#closing.abort(fail('INTERRUPTED', {}));
    const client = await this.#client?.catch(() => undefined);
    client?.end();
    client?.destroy();
  }

  async #connect(): Promise<Client> {
    try {
      const client = await this.#connectWithRetry();
      client.once('close', () => (this.#client = undefined));
      this.#hasConnected = true;
      if (this.#isJump) await requestServerNoDelay(client);
      return client;
    } catch (error) {
      this.#client = undefined;
      if (error instanceof KubexmError && FINAL_CODES.has(error.code)) this.#finalError = error;
      throw error;
    }
  }

  /** Retries until the timeout. Throws errors that a retry cannot fix immediately. */
  async #connectWithRetry(): Promise<Client> {
    const { name: host, timeoutMs } = this.target;
    const started = performance.now();
    const waited: SlotWait = { ms: 0 };
    const left = () => started + waited.ms + timeoutMs - performance.now();
    for (let pause = 200; ; pause = Math.min(pause * 2, 5000)) {
      try {
        return await this.#attempt(Math.min(Math.max(1000, left()), ATTEMPT_MS), waited);
      } catch (error) {
        this.#closing.signal.throwIfAborted();
        // The host accepted this login before, so it is probably booting or shutting down, during which logins are
        // disabled.
        const isTransient = this.#hasConnected && error instanceof KubexmError && error.code === 'AUTH_FAILED';
        const timedOut = left() <= pause;
        if (!isTransient && error instanceof KubexmError) throw error;
        if (timedOut || (!isTransient && isFinal(error))) {
          const reason = error instanceof Error ? error.message : String(error);
          const seconds = Math.round(timeoutMs / 1000);
          throw fail('HOST_UNREACHABLE', { host, address: endpointOf(this.target), seconds, reason }, error);
        }
      }
      // Uses jitter, because sshd drops logins that arrive at the same time (MaxStartups).
      await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal: this.#closing.signal });
    }
  }

  async #attempt(timeoutMs: number, waited: SlotWait): Promise<Client> {
    this.#credentials ??= credentialsOf(this.target);
    const credentials = await this.#credentials;
    const { target } = this;
    const known = this.#known;
    let firstError: unknown;
    for (const algorithms of await hostKeyAlgorithms(target, known)) {
      try {
        return await this.#logIn(timeoutMs, waited, (through) =>
          connectOnce({ target, known, credentials, hostKeyAlgorithms: algorithms, timeoutMs, through }),
        );
      } catch (error) {
        if (!isOtherKeyType(error)) throw error;
        // Throws the first error, which is the most useful, because it concerns the key that the host prefers.
        firstError ??= error;
      }
    }
    throw firstError;
  }

  async #logIn(timeoutMs: number, waited: SlotWait, use: (stream: Duplex) => Promise<Client>): Promise<Client> {
    const { target } = this;
    const { signal } = this.#closing;
    const via = this.#via;
    const open = () => (via ? via.forwardTo(target, signal) : openSocket(target, timeoutMs, signal));
    // A jump host does not take a slot, because the hosts behind it hold slots while they wait for it.
    return this.#isJump ? use(await open()) : inLoginSlot({ open, use, waited, signal });
  }
}

/** Makes sshd set TCP_NODELAY, which it does only when a session requests a terminal. */
const requestServerNoDelay = (client: Client): Promise<void> =>
  new Promise((resolve) => {
    client.once('close', () => resolve());
    setTimeout(resolve, NO_DELAY_MS).unref(); // a host that only forwards may never respond
    client.exec('true', { pty: true }, (error, channel) => {
      if (error) return resolve();
      channel.once('close', () => resolve()).resume();
      channel.stderr.resume();
    });
  });

/** Returns whether the host offered a key of a different type than the pinned key, so that the next type may match. */
const isOtherKeyType = (error: unknown) =>
  error instanceof KubexmError
    ? error.code === 'HOST_KEY_CHANGED'
    : error instanceof Error && /no matching host key/i.test(error.message);

const ATTEMPT_MS = 15_000;
const NO_DELAY_MS = 3000;

const FINAL_CODES: ReadonlySet<string> = new Set([
  'AUTH_FAILED',
  'HOST_KEY_CHANGED',
  'HOST_KEY_REVOKED',
  'HOST_KEY_UNKNOWN',
  'KEY_UNREADABLE',
  'KEY_NEEDS_PASSPHRASE',
]);
