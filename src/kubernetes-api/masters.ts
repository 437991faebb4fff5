import { setTimeout as sleep } from 'node:timers/promises';
import { KubexmError } from '../common/errors/errors.ts';
import { abortable } from '../connector/abortable.ts';
import type { Connector } from '../connector/connector.ts';
import { createAbortController } from '../util/abort-signal.ts';
import { kubectlTransport, type KubectlOptions } from './kubectl-transport.ts';
import { reasonOf, statusOf } from './status.ts';
import type { ApiCredentials, ApiTransport } from './transport.ts';

/** How to reach the API server of a master. */
export interface MasterAccess extends KubectlOptions {
  readonly connector: Connector;
  readonly port: number;
  /** Where credentials may be found, in order: the next source is used if there are none, or if they are rejected. */
  readonly credentials: readonly (() => Promise<ApiCredentials | undefined>)[];
}

/** A master whose API server is ready, or why none is. */
export type ChosenMaster =
  | { readonly type: 'ready'; readonly transport: ApiTransport }
  | { readonly type: 'none'; readonly reasons: ReadonlyMap<string, string> };

/** The masters of a cluster, of which one is in use. */
export interface Masters extends AsyncDisposable {
  current(signal: AbortSignal): Promise<ChosenMaster>;
  /** Stops using a master that failed; it is tried again last. */
  drop(transport: ApiTransport): void;
}

export function createMasters(access: readonly MasterAccess[]): Masters {
  const closing = createAbortController();
  const opened = new Set<ApiTransport>();
  let order = access;
  let choosing: Promise<ChosenMaster> | undefined;
  let inUse: ApiTransport | undefined;
  const choose = async () => {
    const chosen = await firstReady(order, closing.signal);
    if (chosen.type === 'none') choosing = undefined;
    else {
      opened.add(chosen.transport);
      inUse = chosen.transport;
    }
    return chosen;
  };
  return Object.freeze<Masters>({
    current: (signal) => {
      closing.signal.throwIfAborted();
      return abortable((choosing ??= choose()), signal);
    },
    drop(transport) {
      // Another call may have noticed the failure first.
      if (inUse !== transport) return;
      [choosing, inUse] = [undefined, undefined];
      const hasFailed = ({ connector }: MasterAccess) => connector.host === transport.host;
      order = [...order.filter((each) => !hasFailed(each)), ...order.filter(hasFailed)];
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the client was closed'));
      await Promise.allSettled([...opened].map((transport) => transport[Symbol.asyncDispose]()));
    },
  });
}

/** Tries the next master as soon as one fails or is slow; the first that is ready wins. */
async function firstReady(access: readonly MasterAccess[], closing: AbortSignal): Promise<ChosenMaster> {
  const reasons = new Map<string, string>();
  const found = createAbortController();
  const until = AbortSignal.any([closing, found.signal]);
  const attempts: Promise<ApiTransport>[] = [];
  for (const each of access) {
    const previous = attempts.at(-1);
    const attempt = async () => {
      if (previous)
        await Promise.race([previous.catch(() => {}), sleep(HEDGE_MS, undefined, { signal: until, ref: false })]);
      until.throwIfAborted();
      return connectReady(each, until);
    };
    attempts.push(attempt());
    attempts.at(-1)?.catch((error: unknown) => reasons.set(each.connector.host, reasonOf(error)));
  }
  const transport = await Promise.any(attempts).catch(() => undefined);
  found.abort(new Error('another master is in use'));
  // One that became ready at the same time is not used.
  for (const attempt of attempts)
    void attempt.then((other) => (other === transport ? undefined : other[Symbol.asyncDispose]())).catch(() => {});
  return transport ? { type: 'ready', transport } : { type: 'none', reasons };
}

/** Connects to the API server of a master and checks that it is ready. */
async function connectReady(access: MasterAccess, signal: AbortSignal): Promise<ApiTransport> {
  if (!(await allowsTunnel(access, signal))) {
    const transport = kubectlTransport(access);
    const state = await readiness(transport, signal);
    if (state !== 'ready') throw new Error(state);
    return transport;
  }
  // Loads the HTTP client only when it is needed, to keep the start of other commands fast.
  const { tunnelTransport } = await import('./tunnel-transport.ts');
  let denied = 'no credentials';
  for (const source of access.credentials) {
    const credentials = await abortable(source(), signal);
    if (!credentials) continue;
    const transport = tunnelTransport({ ...access, credentials });
    const state = await readiness(transport, signal).catch(async (error: unknown) => {
      await transport[Symbol.asyncDispose]();
      throw error;
    });
    if (state === 'ready') return transport;
    denied = state;
    await transport[Symbol.asyncDispose]();
  }
  throw new Error(denied);
}

/** False if sshd forbids forwarding; throws if nothing listens. Checked before credentials are read. */
async function allowsTunnel({ connector, port }: MasterAccess, signal: AbortSignal): Promise<boolean> {
  try {
    (await connector.tunnel(port, signal)).destroy();
    return true;
  } catch (error) {
    if (error instanceof KubexmError && error.code === 'TUNNEL_FORBIDDEN') return false;
    throw error;
  }
}

/** `ready`, or why the API server rejects the credentials; throws if it is not ready. */
async function readiness(transport: ApiTransport, signal: AbortSignal): Promise<string> {
  const { status, body } = await transport.send({ method: 'GET', path: '/readyz' }, signal);
  if (status === 200) return 'ready';
  if (status === 401) return `it rejected the admin credentials: ${statusOf(body).message}`;
  const failed = [...body.matchAll(/\[-\](\S+) failed/g)].map(([, check = '']) => check);
  throw new Error(`not ready: ${failed.length > 0 ? failed.join(', ') : `HTTP status ${status}`}`);
}

const HEDGE_MS = 2000;
