import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { textOf } from '../../util/json-fields.ts';
import { basicLogin, type Http, type HttpAnswer, type HttpRequest } from '../download/http.ts';
import type { RegistryCredentials } from './registry.ts';

/** Answers what a registry asks of those who come: a token, or name and password. Everything else passes through. */
export function withLogin(http: Http, host: string, access: RegistryCredentials): Http {
  const known = new Map<string, string>();
  const request = async (url: string, request: HttpRequest): Promise<HttpAnswer> => {
    const scope = scopeOf(url, request.method);
    const first = await http.request(url, withAuthorization(request, known.get(scope)));
    if (first.status !== 401) return first;
    const challenge = parseChallenge(first.headers['www-authenticate'] ?? '');
    await first.drop();
    const authorization = await answer(http, challenge, { host, access, request });
    if (authorization === undefined) throw fail('REGISTRY_DENIED', { registry: host, item: request.item });
    known.set(scope, authorization);
    if (typeof request.body === 'object' && !Buffer.isBuffer(request.body))
      throw fail('REGISTRY_DENIED', { registry: host, item: request.item });
    return http.request(url, withAuthorization(request, authorization));
  };
  return Object.freeze({ ...http, request });
}

/** A token is for one repository, to read or to write. */
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

/** 'Bearer realm="https://auth.example.com/token",service="registry"' */
function parseChallenge(header: string): Challenge {
  const [, scheme = '', rest = ''] = /^\s*(\w+)\s*(.*)$/s.exec(header) ?? [];
  const params = [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), value]);
  return { scheme: scheme.toLowerCase(), params: Object.fromEntries(params) };
}

interface Caller {
  readonly host: string;
  readonly access: RegistryCredentials;
  readonly request: HttpRequest;
}

/** Undefined when there is nothing to answer with. */
async function answer(http: Http, { scheme, params }: Challenge, caller: Caller): Promise<string | undefined> {
  const { username, password } = caller.access;
  const basic = username === undefined ? undefined : basicLogin(username, password?.reveal() ?? '');
  if (scheme === 'basic') return basic;
  if (scheme !== 'bearer' || params['realm'] === undefined) return undefined;
  return askToken(http, params, basic, caller);
}

async function askToken(
  http: Http,
  { realm = '', service, scope }: Readonly<Record<string, string>>,
  basic: string | undefined,
  { host, access, request: { item, signal } }: Caller,
): Promise<string | undefined> {
  const url = new URL(realm);
  // A password never leaves in plain text, unless the registry as a whole does without TLS.
  if (url.protocol !== 'https:' && !access.plainHTTP) throw fail('REGISTRY_DENIED', { registry: host, item });
  if (service !== undefined) url.searchParams.set('service', service);
  for (const one of scope?.split(' ') ?? []) url.searchParams.append('scope', one);
  const headers = basic === undefined ? {} : { authorization: basic };
  const answered = await http.request(url.href, { item, headers, ...(signal && { signal }) });
  const text = await answered.text();
  if (answered.status !== 200) return undefined;
  const json: Json = JSON.parse(text);
  const token = textOf(json, 'token') || textOf(json, 'access_token');
  return token === '' ? undefined : `Bearer ${token}`;
}
