import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, expect, it, onTestFinished } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-upstream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PUBLISHERS = ['dl.k8s.io', 'github.com', 'registry.k8s.io', 'ghcr.io'];
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
const subject = [
  '-subj',
  '/CN=publishers',
  '-addext',
  `subjectAltName=${PUBLISHERS.map((host) => `DNS:${host}`).join()}`,
];
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
execFileSync('openssl', ['req', '-x509', ...newKey, '-out', cert, ...subject, '-days', '2'], { stdio: 'ignore' });

const upstream: RequestListener = ({ url = '' }, response) => {
  if (url.endsWith('.sha256') || url.endsWith('.sha256sum')) response.end(`${'a'.repeat(64)}  file\n`);
  else if (url === '/v2/') response.writeHead(401, { 'www-authenticate': 'Bearer realm="https://example.com"' }).end();
  else response.writeHead(404).end();
};

it('finds upstream reachable if all publishers respond', async () => {
  expect(await probe(upstream)).toBe('true\n');
});

it('takes a login page or an error of a proxy for unreachable', async () => {
  expect(await probe((_, response) => void response.end('<html>Please log in</html>'))).toBe('false\n');
  expect(await probe((_, response) => void response.writeHead(403).end())).toBe('false\n');
});

it('requires all publishers', async () => {
  expect(await probe(upstream, PUBLISHERS.slice(0, 3))).toBe('false\n');
});

/** Runs the probe in a process whose proxy leads to a fake internet with these hosts. */
async function probe(listener: RequestListener, hosts: readonly string[] = PUBLISHERS): Promise<string> {
  const http = createServer(listener);
  const tls = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) =>
    http.emit('connection', socket),
  );
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket) => {
    if (!hosts.includes(url.replace(/:443$/, ''))) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const inner = connect(portOf(tls), '127.0.0.1');
    for (const each of [inner, socket]) each.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    inner.pipe(socket).pipe(inner);
  });
  for (const server of [tls, proxy]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
  }
  const script = `import('./scripts/upstream.mjs').then(async (module) => console.log(await module.upstreamIsReachable(60_000)))`;
  const address = `http://127.0.0.1:${portOf(proxy)}`;
  const env = { ...process.env, https_proxy: address, HTTPS_PROXY: address, no_proxy: '', NODE_EXTRA_CA_CERTS: cert };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  return stdout;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}
