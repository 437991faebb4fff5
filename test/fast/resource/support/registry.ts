import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { onTestFinished } from 'vitest';
import { sha256Of } from './server.ts';

export interface RegistryOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly auth?: { readonly type: 'basic' | 'bearer'; readonly user?: string; readonly password?: string };
  /** Larger bodies are rejected, as by a proxy. */
  readonly maxBody?: number;
  /** Behave like a Harbor with these projects: images outside of them are rejected. */
  readonly projects?: Set<string>;
}

/** An in-memory registry that checks digests and references as strictly as a real one. */
export interface TestRegistry {
  readonly host: string;
  readonly url: string;
  readonly requests: string[];
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, { readonly type: string; readonly content: Buffer }>;
  /** Digests of blobs that are served with altered content. */
  readonly corrupted: Set<string>;
  /** The next requests with these methods get a 503 response. */
  readonly busy: string[];
}

export async function testRegistry(options: RegistryOptions = {}): Promise<TestRegistry> {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, { type: string; content: Buffer }>();
  const requests: string[] = [];
  const corrupted = new Set<string>();
  const busy: string[] = [];
  const uploads = new Map<string, Buffer>();
  const tokens = new Set<string>();
  const state = { blobs, manifests, corrupted, uploads };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://registry');
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (busy.includes(request.method ?? '')) {
      busy.splice(busy.indexOf(request.method ?? ''), 1);
      return void response.writeHead(503).end('busy');
    }
    if (url.pathname === '/token') return sendToken(request, response, options, tokens);
    if (!allowed(request, options, tokens)) return challenge(request, response, url, options);
    if (options.maxBody !== undefined && body.length > options.maxBody) return void response.writeHead(413).end();
    const registryRequest = { request, response, url, body };
    if (options.projects && handleHarbor(options.projects, registryRequest)) return;
    answer(registryRequest, state);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => void serve(request, response);
  const server = options.tls ? createTlsServer(options.tls, handle) : createHttpServer(handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { host, url: `${options.tls ? 'https' : 'http'}://${host}`, requests, blobs, manifests, corrupted, busy };
}

interface State {
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, { readonly type: string; readonly content: Buffer }>;
  readonly corrupted: Set<string>;
  readonly uploads: Map<string, Buffer>;
}

interface RegistryRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: Buffer;
}

/** Handles the Harbor API and rejects images outside of the projects. Returns whether the request is handled. */
function handleHarbor(projects: Set<string>, { request, response, url, body }: RegistryRequest): boolean {
  const end = (status: number, text = '') => (response.writeHead(status).end(text), true);
  const [, project = '', rest = ''] = /^\/v2\/([^/]+)\/(.*)$/.exec(url.pathname) ?? [];
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /api/v2.0/systeminfo':
      return end(200, '{"harbor_version":"v2.14.0"}');
    case 'HEAD /api/v2.0/projects':
      return end(projects.has(url.searchParams.get('project_name') ?? '') ? 200 : 404);
    case 'POST /api/v2.0/projects':
      projects.add(JSON.parse(body.toString()).project_name);
      return end(201);
    default:
      if (project === '' || (projects.has(project) && !/^(blobs|manifests)\//.test(rest))) return false;
      return end(404, '{"errors":[{"code":"NOT_FOUND"}]}');
  }
}

function answer(registryRequest: RegistryRequest, state: State): void {
  const { request, response, url } = registryRequest;
  const [, repository = '', kind = '', rest = ''] = /^\/v2\/(.+?)\/(blobs|manifests)\/(.+)$/.exec(url.pathname) ?? [];
  if (url.pathname === '/v2/') return void response.writeHead(200).end('{}');
  if (kind === '') return void response.writeHead(404).end();
  if (kind === 'blobs' && rest.startsWith('uploads/')) return upload(registryRequest, state, repository, rest.slice(8));
  const key = `${repository} ${rest}`;
  if (request.method === 'PUT') return putManifest(registryRequest, state, repository, rest);
  const manifest = state.manifests.get(key);
  const content = kind === 'blobs' ? state.blobs.get(key) : manifest?.content;
  if (!content) return void response.writeHead(404).end('{"errors":[{"code":"UNKNOWN"}]}');
  const sent = state.corrupted.has(rest) ? Buffer.from(content.map((byte) => byte ^ 1)) : content;
  const type = manifest?.type ?? 'application/octet-stream';
  response.writeHead(200, { 'content-length': sent.length, 'content-type': type });
  response.end(request.method === 'HEAD' ? undefined : sent);
}

function upload(
  { request, response, url, body }: RegistryRequest,
  { uploads, blobs }: State,
  repository: string,
  id: string,
): void {
  const digest = url.searchParams.get('digest');
  if (request.method === 'POST') {
    const [mount, from] = [url.searchParams.get('mount'), url.searchParams.get('from')];
    const there = blobs.get(`${from} ${mount}`);
    if (mount !== null && there) {
      blobs.set(`${repository} ${mount}`, there);
      return void response.writeHead(201).end();
    }
    const next = randomUUID();
    uploads.set(next, Buffer.alloc(0));
    return void response.writeHead(202, { location: `/v2/${repository}/blobs/uploads/${next}?state=1` }).end();
  }
  const begun = uploads.get(id);
  if (!begun) return void response.writeHead(404).end();
  const [, start = '0'] = /^(\d+)-/.exec(request.headers['content-range'] ?? `${begun.length}-`) ?? [];
  if (Number(start) !== begun.length) return void response.writeHead(416).end();
  const content = Buffer.concat([begun, body]);
  uploads.set(id, content);
  if (request.method === 'PATCH')
    return void response.writeHead(202, { location: `/v2/${repository}/blobs/uploads/${id}?state=2` }).end();
  if (digest !== `sha256:${sha256Of(content)}`) return void response.writeHead(400).end('digest invalid');
  blobs.set(`${repository} ${digest}`, content);
  response.writeHead(201).end();
}

/** Rejects a manifest whose blobs are not in the repository. */
function putManifest(
  { request, response, body }: RegistryRequest,
  { blobs, manifests }: State,
  repository: string,
  name: string,
): void {
  const json = JSON.parse(body.toString());
  const parts: { digest: string }[] = [...(json.layers ?? []), ...(json.config ? [json.config] : [])];
  const children: { digest: string }[] = json.manifests ?? [];
  const missing =
    parts.some(({ digest }) => !blobs.has(`${repository} ${digest}`)) ||
    children.some(({ digest }) => !manifests.has(`${repository} ${digest}`));
  if (missing) return void response.writeHead(400).end('MANIFEST_BLOB_UNKNOWN');
  const stored = { type: request.headers['content-type'] ?? '', content: body };
  manifests.set(`${repository} ${name}`, stored);
  manifests.set(`${repository} sha256:${sha256Of(body)}`, stored);
  response.writeHead(201).end();
}

const basicOf = ({ auth }: RegistryOptions) =>
  `Basic ${Buffer.from(`${auth?.user}:${auth?.password}`).toString('base64')}`;

function allowed({ headers }: IncomingMessage, options: RegistryOptions, tokens: ReadonlySet<string>): boolean {
  if (!options.auth) return true;
  if (options.auth.type === 'basic') return headers.authorization === basicOf(options);
  return tokens.has(headers.authorization ?? '');
}

function challenge(request: IncomingMessage, response: ServerResponse, url: URL, { auth, tls }: RegistryOptions): void {
  const realm = `${tls ? 'https' : 'http'}://${request.headers.host}/token`;
  const [, repository] = /^\/v2\/(.+?)\/(?:blobs|manifests)\//.exec(url.pathname) ?? [];
  const header =
    auth?.type === 'basic'
      ? 'Basic realm="test"'
      : `Bearer realm="${realm}",service="test",scope="repository:${repository}:pull,push"`;
  response.writeHead(401, { 'www-authenticate': header }).end();
}

function sendToken(
  request: IncomingMessage,
  response: ServerResponse,
  options: RegistryOptions,
  tokens: Set<string>,
): void {
  const { auth } = options;
  if (auth?.user !== undefined && request.headers.authorization !== basicOf(options))
    return void response.writeHead(401).end();
  const token = randomUUID();
  tokens.add(`Bearer ${token}`);
  response.writeHead(200).end(JSON.stringify({ token, expires_in: 60 }));
}

/** Adds an image with one shared layer to a registry and returns its digest. */
export function putImage(
  { blobs, manifests }: TestRegistry,
  repository: string,
  tag: string,
  arches: readonly string[],
  seed = repository,
): string {
  const put = (content: Buffer | string) => {
    const bytes = Buffer.from(content);
    const digest = `sha256:${sha256Of(bytes)}`;
    blobs.set(`${repository} ${digest}`, bytes);
    return { digest, size: bytes.length };
  };
  const putManifestOf = (json: object, type: string, name?: string) => {
    const content = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: type, ...json }));
    const digest = `sha256:${sha256Of(content)}`;
    for (const each of [digest, ...(name === undefined ? [] : [name])])
      manifests.set(`${repository} ${each}`, { type, content });
    return { mediaType: type, digest, size: content.length };
  };
  const shared = { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', ...put(Buffer.alloc(50_000, 'base')) };
  const images = arches.map((architecture) => {
    const own = { mediaType: shared.mediaType, ...put(Buffer.alloc(30_000, `${seed} ${architecture}`)) };
    const config = {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      ...put(JSON.stringify({ architecture, os: 'linux', rootfs: { type: 'layers', diff_ids: [] } })),
    };
    const manifest = putManifestOf(
      { config, layers: [shared, own] },
      'application/vnd.oci.image.manifest.v1+json',
      arches.length === 1 ? tag : undefined,
    );
    return { ...manifest, platform: { os: 'linux', architecture } };
  });
  if (images.length === 1) return images[0]!.digest;
  return putManifestOf({ manifests: images }, 'application/vnd.oci.image.index.v1+json', tag).digest;
}
