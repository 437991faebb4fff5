import type { Secret } from '../../common/secret.ts';
import { createHttp, type Http, type HttpOptions } from '../download/http.ts';
import { withLogin } from './authenticate.ts';

/** How a registry is entered. */
export interface RegistryCredentials {
  readonly username?: string;
  readonly password?: Secret | undefined;
  /** Where it is, when its name does not tell this machine. */
  readonly address?: string;
  readonly plainHTTP?: boolean;
  readonly skipTLSVerify?: boolean;
  /** PEM */
  readonly ca?: string | undefined;
  readonly cert?: string;
  readonly key?: string;
}

/** A registry that answers. */
export interface Registry {
  readonly host: string;
  readonly http: Http;
  /** "/v2/…" */
  url(path: string): string;
}

/** The registries of one act, each opened once. */
export interface Registries extends AsyncDisposable {
  get(host: string): Registry;
  /** Those that gave no answer: not waited for again where somebody else can be asked. */
  readonly silent: Set<string>;
}

export function openRegistries(
  credentials: Readonly<Record<string, RegistryCredentials>>,
  options: HttpOptions = {},
): Registries {
  const open = new Map<string, Registry & { readonly base: Http }>();
  const make = (host: string) => {
    const access = credentials[host] ?? {};
    const { ca, cert, key, skipTLSVerify, address } = access;
    const base = createHttp({
      ...options,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(skipTLSVerify && { insecure: true }),
      ...(address !== undefined && { address }),
    });
    const origin = `${access.plainHTTP ? 'http' : 'https'}://${host === 'docker.io' ? 'registry-1.docker.io' : host}`;
    return { host, base, http: withLogin(base, host, access), url: (path: string) => `${origin}${path}` };
  };
  return Object.freeze({
    silent: new Set<string>(),
    get: (host: string) => {
      const known = open.get(host) ?? make(host);
      open.set(host, known);
      return known;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...open.values()].map(({ base }) => base[Symbol.asyncDispose]()));
    },
  });
}
