import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, EnvHttpProxyAgent, request as send } from 'undici';
import type { HttpAnswer, HttpOptions, HttpRequest } from './http.ts';

/** Sends single requests, over connections that it keeps, and through a proxy where the environment names one. */
export interface Client {
  readonly send: (url: string, request: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

export function createClient({ connectMs = 15_000, answerMs = 60_000, address, ...trust }: HttpOptions): Client {
  const connect = {
    timeout: connectMs,
    ...(trust.ca !== undefined && { ca: trust.ca }),
    ...(trust.cert !== undefined && { cert: trust.cert }),
    ...(trust.key !== undefined && { key: trust.key }),
    ...(trust.insecure && { rejectUnauthorized: false }),
  };
  // A body that stalls is noticed by those who read it: they know how slow is too slow.
  const waiting = { headersTimeout: answerMs, bodyTimeout: 0 };
  const dispatcher =
    address === undefined
      ? new EnvHttpProxyAgent({ connect, requestTls: connect, ...waiting })
      : new Agent({ connect: { ...connect, lookup: lookupOf(address) }, ...waiting });
  return Object.freeze<Client>({
    close: () => dispatcher.destroy(),
    send: async (url, { method = 'GET', headers, body, signal }) => {
      const answer = await send(url, {
        dispatcher,
        method,
        headers: { 'user-agent': 'kubexm', 'accept-encoding': 'identity', ...headers },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      const told = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
      return {
        status: answer.statusCode,
        headers: Object.fromEntries(told),
        body: answer.body,
        url,
        text: () => answer.body.text(),
        drop: () => answer.body.dump(),
      };
    },
  });
}

/** Every name leads there. */
const lookupOf =
  (address: string): LookupFunction =>
  (_, options, answer) =>
    lookup(address, options, answer);
