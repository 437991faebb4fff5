import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { buildMirror } from '../../../../src/lab/mirror/build.ts';
import { mirrorPaths } from '../../../../src/lab/mirror/paths.ts';
import { serveMirror } from '../../../../src/lab/mirror/serve.ts';
import { findProgram } from '../../../../src/lab/prerequisites.ts';
import { run, tryRun } from '../../../../src/lab/run.ts';
import { CONTENT, demo, ownFolder, writeSeed } from './demo-component.ts';

const folder = await ownFolder();
const mirror = join(folder, 'mirror');
await writeSeed(join(folder, 'seed'), [demo('v1.0.0')]);
process.env['KUBEXM_LAB_SEED'] = join(folder, 'seed');
await buildMirror(mirror, [demo('v1.0.0')]);

const server = await serveMirror({ folder: mirror });
const { faults } = server;
const skopeo = await findProgram('skopeo');
afterAll(() => server.close());
afterEach(() => faults.clear());

const FILE = 'downloads.example.com/demo/v1.0.0/demo';
const ask = (path = FILE, init: RequestInit = {}) => fetch(server.url + path, init);
const textOf = async (path = FILE, headers: Record<string, string> = {}) => (await ask(path, { headers })).text();

test('sends files whole and in parts', async () => {
  const whole = await ask();
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  expect(await whole.text()).toBe(CONTENT);
  const part = await ask(FILE, { headers: { range: 'bytes=5-14' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 5-14/${CONTENT.length}`);
  expect(await part.text()).toBe(CONTENT.slice(5, 15));
  expect((await ask(FILE, { headers: { range: `bytes=${CONTENT.length}-` } })).status).toBe(416);
  const head = await ask(FILE, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(CONTENT.length)]);
});

test('goes on only with the file that was begun', async () => {
  const tag = (await ask()).headers.get('etag')!;
  const goOn = (etag: string) => ask(FILE, { headers: { range: 'bytes=5-', 'if-range': etag } });
  expect((await goOn(tag)).status).toBe(206);
  expect((await goOn('"other"')).status).toBe(200);
});

test.each([
  'SHA256SUMS',
  'records/demo-v1.0.0.json',
  'images/index.json',
  'nowhere.example.com/x',
  'downloads.example.com/demo',
])('%s is nobody’s download', async (path) => {
  expect((await ask(path)).status).toBe(404);
});

test('does not leave its folder', async () => {
  const url = new URL(server.url);
  const request = get({ host: url.hostname, port: url.port, path: '/downloads.example.com/../../../etc/hostname' });
  const [answer] = await once(request, 'response');
  expect(answer.statusCode).toBe(404);
  answer.resume();
});

test('is for reading only', async () => {
  expect((await ask(FILE, { method: 'PUT', body: 'x' })).status).toBe(405);
  expect((await ask('v2/images.example.com/team/demo/blobs/uploads/', { method: 'POST' })).status).toBe(405);
});

test('remembers what was asked for', async () => {
  const before = server.requests().length;
  await (await ask(FILE, { headers: { range: 'bytes=0-1' } })).text();
  await expect
    .poll(() => server.requests().slice(before))
    .toEqual([{ method: 'GET', path: `/${FILE}`, range: 'bytes=0-1', status: 206 }]);
});

test('fault error: as many times as it was told', async () => {
  faults.set('*demo', { type: 'error', status: 502, times: 2 });
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([502, 502, 200]);
});

test('fault truncated: the length is promised, half of it comes', async () => {
  faults.set(FILE, { type: 'truncated' });
  const { exit, stdout } = await tryRun(['curl', '--silent', server.url + FILE]);
  expect(exit).toBe(18);
  expect(stdout).toBe(CONTENT.slice(0, CONTENT.length / 2));
});

test('fault stall: half comes, then silence', async () => {
  faults.set(FILE, { type: 'stall' });
  const { exit, stdout } = await tryRun(['curl', '--silent', '--max-time', '1', server.url + FILE]);
  expect(exit).toBe(28);
  expect(stdout).toBe(CONTENT.slice(0, CONTENT.length / 2));
});

test('fault slow: no faster than it was told', async () => {
  faults.set(FILE, { type: 'slow', bytesPerSecond: CONTENT.length });
  const start = performance.now();
  expect(await textOf()).toBe(CONTENT);
  expect(performance.now() - start).toBeGreaterThan(700);
});

test('fault wrong-content: the right length, other bytes; or a page that wants a login', async () => {
  faults.set(FILE, { type: 'wrong-content' });
  const wrong = await textOf();
  expect(wrong).not.toBe(CONTENT);
  expect(wrong).toHaveLength(CONTENT.length);
  faults.set(FILE, { type: 'wrong-content', page: true });
  expect(await textOf()).toContain('Please log in');
});

test('fault wrong-checksum: sums that look right and are not, files as they are', async () => {
  const right = await textOf(`${FILE}.sha256`);
  faults.set('*', { type: 'wrong-checksum' });
  const wrong = await textOf(`${FILE}.sha256`);
  expect(wrong).toMatch(/^[0-9a-f]{64}$/);
  expect(wrong).not.toBe(right);
  expect(await textOf()).toBe(CONTENT);
  const manifest = await ask('v2/images.example.com/team/demo/manifests/v1.0.0');
  expect(manifest.headers.get('docker-content-digest')).toBe(`sha256:${'0'.repeat(64)}`);
});

test('fault no-range: always the whole', async () => {
  faults.set('*', { type: 'no-range' });
  const answer = await ask(FILE, { headers: { range: 'bytes=5-14' } });
  expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([200, null]);
  expect(await answer.text()).toBe(CONTENT);
});

test('several faults happen together', async () => {
  faults.set('*', { type: 'no-range' });
  faults.set(FILE, { type: 'truncated' });
  const { exit, stdout } = await tryRun(['curl', '--silent', '--range', '5-', server.url + FILE]);
  expect(exit).not.toBe(0);
  expect(stdout).toBe(CONTENT.slice(0, CONTENT.length / 2));
});

test('faults are switched over HTTP, from loopback', async () => {
  const control = (method: string, body?: object, query = '') =>
    ask(`-/faults${query}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const fault = { type: 'error', status: 500 };
  expect(await (await control('PUT', { pattern: '*demo', fault })).json()).toEqual([{ pattern: '*demo', fault }]);
  expect((await ask()).status).toBe(500);
  expect((await control('PUT', { pattern: '*', fault: { type: 'meteor' } })).status).toBe(400);
  expect(await (await control('DELETE', undefined, '?pattern=*demo')).json()).toEqual([]);
  expect((await ask()).status).toBe(200);
});

test('the registry knows images by upstream name, and by name and ns as containerd asks', async () => {
  expect((await ask('v2/')).status).toBe(200);
  const tags = await (await ask('v2/images.example.com/team/demo/tags/list')).json();
  expect(tags).toEqual({ name: 'images.example.com/team/demo', tags: ['v1.0.0', 'latest-v1.0.0'] });
  const byName = await ask('v2/images.example.com/team/demo/manifests/v1.0.0');
  const byNs = await ask('v2/team/demo/manifests/v1.0.0?ns=images.example.com');
  expect(byName.headers.get('content-type')).toBe('application/vnd.oci.image.index.v1+json');
  expect(await byNs.text()).toBe(await byName.text());
  expect((await ask('v2/images.example.com/team/demo/manifests/v9')).status).toBe(404);
  expect((await ask('v2/team/demo/manifests/v1.0.0')).status).toBe(404);
  expect((await ask(`v2/images.example.com/team/demo/blobs/sha256:${'0'.repeat(64)}`)).status).toBe(404);
});

test.skipIf(!skopeo)('skopeo lists tags and copies images out of it', async () => {
  const from = `docker://${new URL(server.url).host}/images.example.com/team/demo`;
  expect(JSON.parse(await run(['skopeo', 'list-tags', '--tls-verify=false', from])).Tags).toContain('v1.0.0');
  await run(['skopeo', 'copy', '--src-tls-verify=false', `${from}:v1.0.0`, `dir:${join(folder, 'pulled')}`]);
  const digest = JSON.parse(await run(['skopeo', 'inspect', '--tls-verify=false', `${from}:v1.0.0`])).Digest;
  await run(['skopeo', 'inspect', '--tls-verify=false', `${from}@${digest}`]);
});

test.skipIf(!skopeo)('skopeo refuses a layer whose bytes are wrong', async () => {
  faults.set('*/blobs/*', { type: 'wrong-content' });
  const from = `docker://${new URL(server.url).host}/images.example.com/team/demo:v1.0.0`;
  const { exit } = await tryRun(['skopeo', 'copy', '--src-tls-verify=false', from, `dir:${join(folder, 'spoiled')}`]);
  expect(exit).not.toBe(0);
});

test('an address that is taken is told, and nothing stays open', async () => {
  const port = Number(new URL(server.url).port);
  const listen = [
    { host: '127.0.0.1', port: 0 },
    { host: '127.0.0.1', port },
  ];
  await expect(serveMirror({ folder: mirror, listen })).rejects.toMatchObject({ code: 'LAB_PORT_TAKEN' });
});

test('closing ends downloads that stall', async () => {
  const other = await serveMirror({ folder: mirrorPaths(mirror).folder });
  other.faults.set('*', { type: 'stall' });
  const download = fetch(other.url + FILE).then((answer) => answer.text());
  download.catch(() => {});
  await Promise.race([download, sleep(100)]);
  await other.close();
  await expect(download).rejects.toThrow();
});
