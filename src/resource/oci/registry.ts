import type { Downloader } from '../download/downloader.ts';
import { createHttp, type Http, type HttpOptions } from '../download/http.ts';
import { withAuthentication, type RegistryCredentials } from './authenticate.ts';

/** HTTP access to one registry, with authentication. */
export interface Registry {
  readonly host: string;
  readonly http: Http;
  /** Returns the full URL of an API path such as "/v2/…". */
  url(path: string): string;
}

/** Opens each registry once and closes all registries together. */
export interface Registries extends AsyncDisposable {
  get(host: string): Registry;
  /** Registries that did not respond. Later requests skip them if there is another source. */
  readonly unresponsive: Set<string>;
}

export function openRegistries(
  credentials: Readonly<Record<string, RegistryCredentials>>,
  options: HttpOptions = {},
): Registries {
  const opened = new Map<string, Registry & { readonly base: Http }>();
  return Object.freeze({
    unresponsive: new Set<string>(),
    get: (host: string) => {
      const registry = opened.get(host) ?? openRegistry(host, credentials[host] ?? {}, options);
      opened.set(host, registry);
      return registry;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...opened.values()].map(({ base }) => base[Symbol.asyncDispose]()));
    },
  });
}

function openRegistry(host: string, credentials: RegistryCredentials, options: HttpOptions) {
  const { ca, cert, key, skipTLSVerify, address, plainHTTP } = credentials;
  const base = createHttp({
    ...options,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(skipTLSVerify && { insecure: true }),
    ...(address !== undefined && { address }),
  });
  const origin = `${plainHTTP ? 'http' : 'https'}://${host === 'docker.io' ? 'registry-1.docker.io' : host}`;
  const http = withAuthentication(base, { host, origin: new URL(origin).origin, credentials });
  return { host, base, http, url: (path: string) => `${origin}${path}` };
}

/** The dependencies of image pulls. */
export interface Puller {
  readonly downloader: Downloader;
  readonly registries: Registries;
}
