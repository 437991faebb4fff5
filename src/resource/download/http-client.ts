import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, EnvHttpProxyAgent, request as send } from 'undici';
import type { Client, HttpOptions } from './http.ts';

export function createClient(options: HttpOptions): Client {
  const dispatcher = createDispatcher(options);
  return Object.freeze<Client>({
    close: () => dispatcher.destroy(),
    send: async (url, { method = 'GET', headers, body, signal }) => {
      const response = await send(url, {
        dispatcher,
        method,
        headers: { 'user-agent': 'kubexm', 'accept-encoding': 'identity', ...headers },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      const entries = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
      return {
        status: response.statusCode,
        headers: Object.fromEntries(entries),
        body: response.body,
        url,
        text: () => response.body.text(),
        discard: () => response.body.dump(),
      };
    },
  });
}

function createDispatcher({ connectTimeoutMs = 15_000, responseTimeoutMs = 60_000, address, ...tls }: HttpOptions) {
  const connect = {
    timeout: connectTimeoutMs,
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.cert !== undefined && { cert: tls.cert }),
    ...(tls.key !== undefined && { key: tls.key }),
    ...(tls.insecure && { rejectUnauthorized: false }),
  };
  // There is no body timeout, because the reader of the body detects stalls.
  const timeouts = { headersTimeout: responseTimeoutMs, bodyTimeout: 0 };
  return address === undefined
    ? new EnvHttpProxyAgent({ connect, requestTls: connect, ...timeouts })
    : new Agent({ connect: { ...connect, lookup: resolveTo(address) }, ...timeouts });
}

/** Resolves every host name to one address. */
const resolveTo =
  (address: string): LookupFunction =>
  (_, options, callback) =>
    lookup(address, options, callback);
