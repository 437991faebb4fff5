import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { createHttp, type HttpOptions } from '../../../src/resource/download/http.ts';
import { openRegistries } from '../../../src/resource/oci/registry.ts';
import { parseReference } from '../../../src/resource/oci/reference.ts';
import { storeText } from '../../../src/resource/oci/image-store.ts';
import { uploadBlob } from '../../../src/resource/oci/upload-blob.ts';
import { certificate, testDownloader, transferContext } from './support/downloader.ts';
import { fileServer, type FileServer } from './support/server.ts';

function client(options: HttpOptions = {}) {
  const http = createHttp(options);
  onTestFinished(() => http[Symbol.asyncDispose]());
  return http;
}

const redirectTo = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(302, { location }).end();

/** Responds with 200 and records the Authorization header of each request. */
function recordAuthorization(server: FileServer, path: string, status = 200): (string | undefined)[] {
  const seen: (string | undefined)[] = [];
  server.answer(path, (request, response) => {
    seen.push(request.headers.authorization);
    request.resume().on('end', () => response.writeHead(status).end('here'));
  });
  return seen;
}

const LOGIN = { username: 'ann', password: new Secret('correct horse') };
const BASIC = `Basic ${Buffer.from('ann:correct horse').toString('base64')}`;

it('rejects a redirect from HTTPS to HTTP without a request to the HTTP server', async () => {
  const tls = certificate();
  const [secure, plain] = [await fileServer(tls), await fileServer()];
  secure.answer('/file', redirectTo(`${plain.url}/file`));
  plain.put('/file', 'content');
  await expect(client({ ca: tls.cert }).request(`${secure.url}/file`, { item: 'file' })).rejects.toMatchObject({
    code: 'HTTP_REFUSED',
    message: expect.stringContaining('from HTTPS to HTTP'),
  });
  expect(plain.requests).toEqual([]);
});

it('sends credentials along with a redirect to the same origin, and never to another one', async () => {
  const [server, other] = [await fileServer(), await fileServer()];
  server.answer('/near', redirectTo('/here'));
  server.answer('/far', redirectTo(`${other.url}/there`));
  const [same, foreign] = [recordAuthorization(server, '/here'), recordAuthorization(other, '/there')];
  const request = { item: 'file', headers: { Authorization: BASIC } };
  for (const path of ['/near', '/far']) await (await client().request(`${server.url}${path}`, request)).discard();
  expect(same).toEqual([BASIC]);
  expect(foreign).toEqual([undefined]);
});

it('does not forward the credentials of a URL to another origin', async () => {
  const [server, other] = [await fileServer(), await fileServer()];
  server.answer('/far', redirectTo(`${other.url}/there`));
  const foreign = recordAuthorization(other, '/there');
  await (await client().request(`http://ann:secret@${server.host}/far`, { item: 'file' })).discard();
  expect(foreign).toEqual([undefined]);
});

it('follows at most eight redirects', async () => {
  const server = await fileServer();
  server.answer('/loop', redirectTo('/loop'));
  await expect(client().request(`${server.url}/loop`, { item: 'file' })).rejects.toThrow('more than 8 times');
  expect(server.requests.length).toBe(9);
});

it('logs in with a password from a URL that contains "@"', async () => {
  const server = await fileServer();
  const seen = recordAuthorization(server, '/file');
  await (await client().request(`http://ann:p@ss@${server.host}/file`, { item: 'file' })).discard();
  expect(seen).toEqual([`Basic ${Buffer.from('ann:p@ss').toString('base64')}`]);
});

it('requests no token over HTTP for a registry with TLS', async () => {
  const tls = certificate();
  const [registry, plain] = [await fileServer(tls), await fileServer()];
  registry.answer('/v2/', (_, response) =>
    response.writeHead(401, { 'www-authenticate': `Bearer realm="${plain.url}/token"` }).end(),
  );
  const seen = recordAuthorization(plain, '/token');
  await using registries = openRegistries({ [registry.host]: { ...LOGIN, ca: tls.cert } });
  const opened = registries.get(registry.host);
  await expect(opened.http.request(opened.url('/v2/'), { item: 'pause' })).rejects.toMatchObject({
    code: 'REGISTRY_DENIED',
  });
  expect(seen).toEqual([]);
});

it('does not answer the challenge of a server that a registry redirects to', async () => {
  const tls = certificate();
  const [registry, other] = [await fileServer(tls), await fileServer(tls)];
  registry.answer('/v2/app/blobs/1', redirectTo(`${other.url}/blob`));
  other.answer('/blob', (_, response) =>
    response.writeHead(401, { 'www-authenticate': `Bearer realm="${other.url}/token"` }).end(),
  );
  const seen = recordAuthorization(other, '/token');
  await using registries = openRegistries({ [registry.host]: { ...LOGIN, ca: tls.cert } });
  const opened = registries.get(registry.host);
  const response = await opened.http.request(opened.url('/v2/app/blobs/1'), { item: 'app' });
  await response.discard();
  expect([response.status, seen]).toEqual([401, []]);
});

/** A registry with basic authentication that names `location` for uploads. */
async function uploading(server: FileServer, location: string, ca?: string) {
  const { cache } = await testDownloader();
  const blob = await storeText(cache, 'layer');
  server.answer('/v2/app/blobs/uploads/', ({ headers }, response) => {
    if (headers.authorization === BASIC) response.writeHead(202, { location }).end();
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
  });
  const credentials = { ...LOGIN, ...(ca === undefined ? { plainHTTP: true } : { ca }) };
  const registries = openRegistries({ [server.host]: credentials });
  onTestFinished(() => registries[Symbol.asyncDispose]());
  const pusher = { cache, registries, knownBlobs: new Map<string, string>() };
  const reference = parseReference(`${server.host}/app:1`);
  const digest = `digest=sha256%3A${blob.sha256}`;
  const upload = () =>
    uploadBlob({ pusher, registry: registries.get(server.host), reference, ctx: transferContext() }, blob);
  return { upload, digest };
}

/** Another host name for the same address: a location on the registry's own host keeps the registry's port. */
const onLocalhost = ({ url }: FileServer) => url.replace('127.0.0.1', 'localhost');

it('uploads to the server that a registry names, but without credentials', async () => {
  const [server, store] = [await fileServer(), await fileServer()];
  const { upload, digest } = await uploading(server, `${onLocalhost(store)}/v2/app/blobs/uploads/1?signature=1`);
  const seen = recordAuthorization(store, `/v2/app/blobs/uploads/1?signature=1&${digest}`, 201);
  await upload();
  expect(seen).toEqual([undefined]);
});

it('uploads to the registry itself with credentials', async () => {
  const server = await fileServer();
  const { upload, digest } = await uploading(server, '/v2/app/blobs/uploads/1');
  const seen = recordAuthorization(server, `/v2/app/blobs/uploads/1?${digest}`, 201);
  await upload();
  expect(seen).toEqual([BASIC]);
});

it('does not upload from HTTPS to HTTP', async () => {
  const tls = certificate();
  const [server, store] = [await fileServer(tls), await fileServer()];
  const { upload } = await uploading(server, `${onLocalhost(store)}/upload`, tls.cert);
  await expect(upload()).rejects.toMatchObject({ code: 'HTTP_REFUSED' });
  expect(store.requests).toEqual([]);
});
