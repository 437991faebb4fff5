import type { Readable } from 'node:stream';
import { fail } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';

/** TLS verification and client certificate. */
export interface TlsOptions {
  /** CA certificates in PEM format; they replace the CAs that this machine trusts. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Client certificate in PEM format. */
  readonly cert?: string;
  readonly key?: string;
}

export interface HttpRequest {
  /** Name of the artifact in error messages. */
  readonly item: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
  readonly signal?: AbortSignal;
}

/** A response. Its body must be read or discarded. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Buffer>;
  /** URL after redirects. */
  readonly url: string;
  text(): Promise<string>;
  discard(): Promise<void>;
}

/** The HTTP client for all downloads, pulls and pushes. */
export interface Http extends AsyncDisposable {
  readonly offline: boolean;
  request(url: string, request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpOptions extends TlsOptions {
  /** If set, every request fails with an error that names the item. */
  readonly offline?: boolean;
  readonly connectTimeoutMs?: number;
  /** Name or address to connect to instead of the host in the URL. Disables proxies. */
  readonly address?: string;
  /** Timeout for the response headers. */
  readonly responseTimeoutMs?: number;
}

/** Loads the HTTP client on the first request, so that other commands start quickly. */
export function createHttp(options: HttpOptions = {}): Http {
  let client: Promise<Client> | undefined;
  const offline = options.offline ?? false;
  return Object.freeze({
    offline,
    request: async (url: string, request: HttpRequest) => {
      if (offline) throw fail('OFFLINE_MISSING', { item: request.item, url: withoutCredentials(url) });
      client ??= import('./http-client.ts').then(({ createClient }) => createClient(options));
      return follow((await client).send, url, request);
    },
    [Symbol.asyncDispose]: async () => {
      await (await client)?.close();
    },
  });
}

/** Sends requests over keep-alive connections and through the proxy set in the environment. */
export interface Client {
  readonly send: (url: string, request: HttpRequest) => Promise<HttpResponse>;
  readonly close: () => Promise<void>;
}

type Send = Client['send'];

/** Follows redirects, but never from HTTPS to HTTP. */
async function follow(send: Send, url: string, request: HttpRequest, left = MAX_REDIRECTS): Promise<HttpResponse> {
  const response = await sendOnce(send, url, request);
  const { location } = response.headers;
  const isRead = request.method === undefined || request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || location === undefined || !REDIRECTS.has(response.status)) return response;
  await response.discard();
  const next = new URL(location, url);
  if (left === 0)
    throw fail('HTTP_REFUSED', {
      url: withoutCredentials(url),
      reason: `it redirects more than ${MAX_REDIRECTS} times`,
    });
  if (url.startsWith('https:') && next.protocol !== 'https:')
    throw fail('HTTP_REFUSED', {
      url: withoutCredentials(url),
      reason: `it redirects from HTTPS to HTTP at ${next.host}`,
    });
  return follow(
    send,
    next.href,
    next.origin === new URL(url).origin ? request : withoutAuthorization(request),
    left - 1,
  );
}

const MAX_REDIRECTS = 8;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Removes credentials from requests to another origin. */
function withoutAuthorization({ headers = {}, ...request }: HttpRequest): HttpRequest {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  return { ...request, headers: Object.fromEntries(others) };
}

async function sendOnce(send: Send, url: string, request: HttpRequest): Promise<HttpResponse> {
  const { username, password } = new URL(url);
  const authorization = username && basicAuth(decodeURIComponent(username), decodeURIComponent(password));
  const headers = { ...(authorization && { authorization }), ...request.headers };
  // The last "@" before the path ends the credentials, because a password may contain "@".
  return { ...(await send(url.replace(/^(https?:\/\/)[^/?#]*@/, '$1'), { ...request, headers })), url };
}

export const basicAuth = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
