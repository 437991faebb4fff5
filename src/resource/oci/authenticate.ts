import type { Secret } from '../../common/secret.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { textOf } from '../../util/json-fields.ts';
import { basicAuth, type Http, type HttpResponse, type HttpRequest } from '../download/http.ts';

/** Connection settings and credentials for a registry. */
export interface RegistryCredentials {
  readonly username?: string;
  readonly password?: Secret | undefined;
  /** Address to connect to if this machine cannot resolve the registry name. */
  readonly address?: string;
  readonly plainHTTP?: boolean;
  readonly skipTLSVerify?: boolean;
  /** CA certificates in PEM format. */
  readonly ca?: string | undefined;
  readonly cert?: string;
  readonly key?: string;
}

/** The registry that the credentials belong to. */
export interface AuthenticatedRegistry {
  /** Registry name in error messages. */
  readonly host: string;
  /** Origin, such as "https://registry.example.com". Credentials are never sent to another origin. */
  readonly origin: string;
  readonly credentials: RegistryCredentials;
}

/** Answers the authentication challenges of a registry with a bearer token or basic authentication. */
export function withAuthentication(http: Http, { host, origin, credentials }: AuthenticatedRegistry): Http {
  const authorizations = new Map<string, string>();
  const request = async (url: string, request: HttpRequest): Promise<HttpResponse> => {
    // The registry may redirect uploads to another server, such as an object store with signed URLs.
    if (new URL(url).origin !== origin) return http.request(url, request);
    const scope = scopeOf(url, request.method);
    const first = await http.request(url, withAuthorization(request, authorizations.get(scope)));
    // Does not answer the challenge of a server that the registry redirected to.
    if (first.status !== 401 || new URL(first.url).origin !== origin) return first;
    const challenge = parseChallenge(first.headers['www-authenticate'] ?? '');
    await first.discard();
    const authorization = await answerChallenge(http, challenge, { host, credentials, request });
    if (authorization === undefined) throw fail('REGISTRY_DENIED', { registry: host, item: request.item });
    authorizations.set(scope, authorization);
    // A stream has been consumed by the first request and cannot be sent again.
    if (typeof request.body === 'object' && !Buffer.isBuffer(request.body))
      throw fail('REGISTRY_DENIED', { registry: host, item: request.item });
    return http.request(url, withAuthorization(request, authorization));
  };
  return Object.freeze({ ...http, request });
}

/** Returns the scope of a token. Tokens are issued per repository, for pull or for push. */
function scopeOf(url: string, method = 'GET'): string {
  const [, repository = ''] = /\/v2\/(.+?)\/(?:blobs|manifests|tags)\//.exec(url) ?? [];
  return `${repository} ${method === 'GET' || method === 'HEAD' ? 'pull' : 'push'}`;
}

const withAuthorization = (request: HttpRequest, authorization: string | undefined): HttpRequest =>
  authorization === undefined ? request : { ...request, headers: { ...request.headers, authorization } };

interface Challenge {
  readonly scheme: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Parses a challenge such as 'Bearer realm="https://auth.example.com/token",service="registry"'. */
function parseChallenge(header: string): Challenge {
  const [, scheme = '', rest = ''] = /^\s*(\w+)\s*(.*)$/s.exec(header) ?? [];
  const params = [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), value]);
  return { scheme: scheme.toLowerCase(), params: Object.fromEntries(params) };
}

interface Login {
  readonly host: string;
  readonly credentials: RegistryCredentials;
  readonly request: HttpRequest;
}

/** Returns the Authorization header, or undefined if the credentials cannot answer the challenge. */
async function answerChallenge(http: Http, { scheme, params }: Challenge, login: Login): Promise<string | undefined> {
  const { username, password } = login.credentials;
  const basic = username === undefined ? undefined : basicAuth(username, password?.reveal() ?? '');
  if (scheme === 'basic') return basic;
  if (scheme !== 'bearer' || params['realm'] === undefined) return undefined;
  return fetchToken(http, params, basic, login);
}

async function fetchToken(
  http: Http,
  { realm = '', service, scope }: Readonly<Record<string, string>>,
  basic: string | undefined,
  { host, credentials, request: { item, signal } }: Login,
): Promise<string | undefined> {
  const url = new URL(realm);
  // Sends passwords over plain HTTP only if the registry is configured with plainHTTP.
  if (url.protocol !== 'https:' && !credentials.plainHTTP) throw fail('REGISTRY_DENIED', { registry: host, item });
  if (service !== undefined) url.searchParams.set('service', service);
  for (const one of scope?.split(' ') ?? []) url.searchParams.append('scope', one);
  const headers = basic === undefined ? {} : { authorization: basic };
  const response = await http.request(url.href, { item, headers, ...(signal && { signal }) });
  const text = await response.text();
  if (response.status !== 200) return undefined;
  const json: Json = JSON.parse(text);
  const token = textOf(json, 'token') || textOf(json, 'access_token');
  return token === '' ? undefined : `Bearer ${token}`;
}
