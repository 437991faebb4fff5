import type { Readable } from 'node:stream';
import { fail } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import type { Client } from './http-client.ts';

/** How a server is trusted. */
export interface Trust {
  /** PEM; besides what this machine trusts anyway when undefined. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** A client certificate, PEM. */
  readonly cert?: string;
  readonly key?: string;
}

/** One request. */
export interface HttpRequest {
  /** What it is for, to name it where it may not be asked for. */
  readonly item: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
  readonly signal?: AbortSignal;
}

/** What a server answers. The body must be read or dropped. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Buffer>;
  /** Where it came from in the end. */
  readonly url: string;
  text(): Promise<string>;
  drop(): Promise<void>;
}

/** The only way of artifacts to the network. */
export interface Http extends AsyncDisposable {
  readonly offline: boolean;
  request(url: string, request: HttpRequest): Promise<HttpAnswer>;
}

/** How to reach servers. */
export interface HttpOptions extends Trust {
  /** Every request is an error that names its item. */
  readonly offline?: boolean;
  readonly connectMs?: number;
  /** Where every server is, whatever names say: a name or an address. Proxies are not asked then. */
  readonly address?: string;
  /** Until the first byte of an answer. */
  readonly answerMs?: number;
}

/** The client is loaded with the first request, so that nobody else waits for it. */
export function createHttp(options: HttpOptions = {}): Http {
  let client: Promise<Client> | undefined;
  const offline = options.offline ?? false;
  return Object.freeze({
    offline,
    request: async (url: string, request: HttpRequest) => {
      if (offline) throw fail('OFFLINE_MISSING', { item: request.item, url: shown(url) });
      client ??= import('./http-client.ts').then(({ createClient }) => createClient(options));
      return follow((await client).send, url, request);
    },
    [Symbol.asyncDispose]: async () => {
      await (await client)?.close();
    },
  });
}

type Send = Client['send'];

/** Goes where redirects lead, but never from TLS to plain text. */
async function follow(send: Send, url: string, request: HttpRequest, left = MAX_REDIRECTS): Promise<HttpAnswer> {
  const answer = await once(send, url, request);
  const { location } = answer.headers;
  const reads = request.method === undefined || request.method === 'GET' || request.method === 'HEAD';
  if (!reads || location === undefined || !REDIRECTS.has(answer.status)) return answer;
  await answer.drop();
  const next = new URL(location, url);
  if (left === 0) throw fail('HTTP_REFUSED', { url: shown(url), reason: 'it redirects without end' });
  if (url.startsWith('https:') && next.protocol !== 'https:')
    throw fail('HTTP_REFUSED', { url: shown(url), reason: `it redirects to plain text at ${next.host}` });
  return follow(send, next.href, next.origin === new URL(url).origin ? request : withoutLogin(request), left - 1);
}

const MAX_REDIRECTS = 8;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const shown = withoutCredentials;

/** What a redirect to elsewhere gets to see is not the login of the first place. */
function withoutLogin({ headers = {}, ...request }: HttpRequest): HttpRequest {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  return { ...request, headers: Object.fromEntries(others) };
}

async function once(send: Send, url: string, request: HttpRequest): Promise<HttpAnswer> {
  const { username, password } = new URL(url);
  const login = username && basicLogin(decodeURIComponent(username), decodeURIComponent(password));
  const headers = { ...(login && { authorization: login }), ...request.headers };
  return { ...(await send(url.replace(/^(https?:\/\/)[^/@]*@/, '$1'), { ...request, headers })), url };
}

export const basicLogin = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
