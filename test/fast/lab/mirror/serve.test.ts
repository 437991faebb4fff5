import { once } from 'node:events';
import { get } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { buildMirror } from '../../../../src/lab/mirror/build.ts';
import { mirrorPaths } from '../../../../src/lab/mirror/paths.ts';
import { serveMirror } from '../../../../src/lab/mirror/serve.ts';
import { findProgram } from '../../../../src/lab/prerequisites.ts';
import { run, tryRun } from '../../../../src/lab/run.ts';
import { skipUnless } from '../../../skip-unless.ts';
import { CONTENT, demoComponent, tempFolder, writeSeed } from './demo-component.ts';

const folder = await tempFolder();
const mirror = join(folder, 'mirror');
await writeSeed(join(folder, 'seed'), [demoComponent('v1.0.0')]);
process.env['KUBEXM_LAB_SEED'] = join(folder, 'seed');
await buildMirror(mirror, [demoComponent('v1.0.0')]);

const server = await serveMirror({ folder: mirror });
const { faults } = server;
const needsSkopeo = skipUnless(await findProgram('skopeo'), 'skopeo is not installed');
afterAll(() => server.close());
afterEach(() => faults.clear());

const FILE = 'downloads.example.com/demo/v1.0.0/demo';
const request = (path = FILE, init: RequestInit = {}) => fetch(server.url + path, init);
const textOf = async (path = FILE, headers: Record<string, string> = {}) => (await request(path, { headers })).text();

test('serves whole files and byte ranges', async () => {
  const whole = await request();
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  expect(await whole.text()).toBe(CONTENT);
  const part = await request(FILE, { headers: { range: 'bytes=5-14' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 5-14/${CONTENT.length}`);
  expect(await part.text()).toBe(CONTENT.slice(5, 15));
  expect((await request(FILE, { headers: { range: `bytes=${CONTENT.length}-` } })).status).toBe(416);
  const head = await request(FILE, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(CONTENT.length)]);
});

test('lists the digests of images in a mirror of an earlier version', async () => {
  const { checksums } = mirrorPaths(mirror);
  const complete = await readFile(checksums, 'utf8');
  await writeFile(checksums, complete.replaceAll(/^.*:v1.*\n/gm, ''));
  expect(await readFile(checksums, 'utf8')).not.toBe(complete);
  await (await serveMirror({ folder: mirror })).close();
  expect(await readFile(checksums, 'utf8')).toBe(complete);
});

test('honours If-Range', async () => {
  const tag = (await request()).headers.get('etag')!;
  const resume = (etag: string) => request(FILE, { headers: { range: 'bytes=5-', 'if-range': etag } });
  expect((await resume(tag)).status).toBe(206);
  expect((await resume('"other"')).status).toBe(200);
});

test.each([
  'SHA256SUMS',
  'records/demo-v1.0.0.json',
  'images/index.json',
  'nowhere.example.com/x',
  'downloads.example.com/demo',
])('%s is not served', async (path) => {
  expect((await request(path)).status).toBe(404);
});

test('does not serve files outside its directory', async () => {
  const url = new URL(server.url);
  const path = '/downloads.example.com/../../../etc/hostname';
  const [response] = await once(get({ host: url.hostname, port: url.port, path }), 'response');
  expect(response.statusCode).toBe(404);
  response.resume();
});

test('is read-only', async () => {
  expect((await request(FILE, { method: 'PUT', body: 'x' })).status).toBe(405);
  expect((await request('v2/images.example.com/team/demo/blobs/uploads/', { method: 'POST' })).status).toBe(405);
});

test('records requests', async () => {
  const before = server.requests().length;
  await (await request(FILE, { headers: { range: 'bytes=0-1' } })).text();
  await expect
    .poll(() => server.requests().slice(before))
    .toEqual([{ method: 'GET', path: `/${FILE}`, range: 'bytes=0-1', status: 206 }]);
});

test('fault error: applies the configured number of times', async () => {
  faults.set('*demo', { type: 'error', status: 502, times: 2 });
  expect([(await request()).status, (await request()).status, (await request()).status]).toEqual([502, 502, 200]);
});

test('fault truncated: sends half of the announced length', async () => {
  faults.set(FILE, { type: 'truncated' });
  const { exit, stdout } = await tryRun(['curl', '--silent', server.url + FILE]);
  expect(exit).toBe(18);
  expect(stdout).toBe(CONTENT.slice(0, CONTENT.length / 2));
});

test('fault stall: sends half, then nothing', async () => {
  faults.set(FILE, { type: 'stall' });
  const { exit, stdout } = await tryRun(['curl', '--silent', '--max-time', '1', server.url + FILE]);
  expect(exit).toBe(28);
  expect(stdout).toBe(CONTENT.slice(0, CONTENT.length / 2));
});

test('fault slow: limits the transfer rate', async () => {
  faults.set(FILE, { type: 'slow', bytesPerSecond: CONTENT.length });
  const start = performance.now();
  expect(await textOf()).toBe(CONTENT);
  expect(performance.now() - start).toBeGreaterThan(700);
});

test('fault wrong-content: sends wrong bytes of the right length, or a login page', async () => {
  faults.set(FILE, { type: 'wrong-content' });
  const wrong = await textOf();
  expect(wrong).not.toBe(CONTENT);
  expect(wrong).toHaveLength(CONTENT.length);
  faults.set(FILE, { type: 'wrong-content', page: true });
  expect(await textOf()).toContain('Please log in');
});

test('fault wrong-checksum: sends well-formed but wrong checksums and unchanged files', async () => {
  const correct = await textOf(`${FILE}.sha256`);
  faults.set('*', { type: 'wrong-checksum' });
  const wrong = await textOf(`${FILE}.sha256`);
  expect(wrong).toMatch(/^[0-9a-f]{64}$/);
  expect(wrong).not.toBe(correct);
  expect(await textOf()).toBe(CONTENT);
  const manifest = await request('v2/images.example.com/team/demo/manifests/v1.0.0');
  expect(manifest.headers.get('docker-content-digest')).toBe(`sha256:${'0'.repeat(64)}`);
});

test('fault no-range: always sends the whole file', async () => {
  faults.set('*', { type: 'no-range' });
  const response = await request(FILE, { headers: { range: 'bytes=5-14' } });
  expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, null]);
  expect(await response.text()).toBe(CONTENT);
});

test('faults can be combined', async () => {
  faults.set('*', { type: 'no-range' });
  faults.set(FILE, { type: 'truncated' });
  const { exit, stdout } = await tryRun(['curl', '--silent', '--range', '5-', server.url + FILE]);
  expect(exit).not.toBe(0);
  expect(stdout).toBe(CONTENT.slice(0, CONTENT.length / 2));
});

test('faults can be changed over HTTP from loopback', async () => {
  const control = (method: string, body?: object, query = '') =>
    request(`-/faults${query}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const fault = { type: 'error', status: 500 };
  expect(await (await control('PUT', { pattern: '*demo', fault })).json()).toEqual([{ pattern: '*demo', fault }]);
  expect((await request()).status).toBe(500);
  expect((await control('PUT', { pattern: '*', fault: { type: 'meteor' } })).status).toBe(400);
  expect(await (await control('DELETE', undefined, '?pattern=*demo')).json()).toEqual([]);
  expect((await request()).status).toBe(200);
});

test('the registry serves images by upstream name, and by name and ns parameter like containerd', async () => {
  expect((await request('v2/')).status).toBe(200);
  const tags = await (await request('v2/images.example.com/team/demo/tags/list')).json();
  expect(tags).toEqual({ name: 'images.example.com/team/demo', tags: ['v1.0.0', 'latest-v1.0.0'] });
  const byName = await request('v2/images.example.com/team/demo/manifests/v1.0.0');
  const byNs = await request('v2/team/demo/manifests/v1.0.0?ns=images.example.com');
  expect(byName.headers.get('content-type')).toBe('application/vnd.oci.image.index.v1+json');
  expect(await byNs.text()).toBe(await byName.text());
  expect((await request('v2/images.example.com/team/demo/manifests/v9')).status).toBe(404);
  expect((await request('v2/team/demo/manifests/v1.0.0')).status).toBe(404);
  expect((await request(`v2/images.example.com/team/demo/blobs/sha256:${'0'.repeat(64)}`)).status).toBe(404);
});

test('skopeo lists tags and copies images', needsSkopeo, async () => {
  const from = `docker://${new URL(server.url).host}/images.example.com/team/demo`;
  expect(JSON.parse(await run(['skopeo', 'list-tags', '--tls-verify=false', from])).Tags).toContain('v1.0.0');
  await run(['skopeo', 'copy', '--src-tls-verify=false', `${from}:v1.0.0`, `dir:${join(folder, 'pulled')}`]);
  const digest = JSON.parse(await run(['skopeo', 'inspect', '--tls-verify=false', `${from}:v1.0.0`])).Digest;
  await run(['skopeo', 'inspect', '--tls-verify=false', `${from}@${digest}`]);
});

test('skopeo rejects a corrupt layer', needsSkopeo, async () => {
  faults.set('*/blobs/*', { type: 'wrong-content' });
  const from = `docker://${new URL(server.url).host}/images.example.com/team/demo:v1.0.0`;
  const { exit } = await tryRun(['skopeo', 'copy', '--src-tls-verify=false', from, `dir:${join(folder, 'corrupt')}`]);
  expect(exit).not.toBe(0);
});

test('fails if an address is in use', async () => {
  const port = Number(new URL(server.url).port);
  const listen = [
    { host: '127.0.0.1', port: 0 },
    { host: '127.0.0.1', port },
  ];
  await expect(serveMirror({ folder: mirror, listen })).rejects.toMatchObject({ code: 'LAB_PORT_TAKEN' });
});

test('close aborts stalled downloads', async () => {
  const other = await serveMirror({ folder: mirrorPaths(mirror).folder });
  other.faults.set('*', { type: 'stall' });
  const response = await fetch(other.url + FILE);
  const download = response.text();
  download.catch(() => {});
  await other.close();
  await expect(download).rejects.toThrow();
});
