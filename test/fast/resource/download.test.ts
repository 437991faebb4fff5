import fc from 'fast-check';
import { linkSync, readdirSync, readFileSync, statSync, writeFileSync, chmodSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { downloadFile } from '../../../src/resource/download/download-file.ts';
import type { HttpRequest } from '../../../src/resource/download/http.ts';
import { certificate, depotFor, fileItem, folder, program, provenBlobs, watch } from './support/downloader.ts';
import { fileServer, sumOf, type Fault } from './support/server.ts';

const PATH = '/release/kubelet';
const content = program();
const sha256 = sumOf(content);

/** A publisher without TLS, so the item needs a sum. */
const withServer = async () => {
  const server = await fileServer();
  server.put(PATH, content);
  return server;
};

describe('one source', () => {
  it('brings the file into the cache and never asks again', async () => {
    const server = await withServer();
    const depot = await depotFor();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    const blob = await downloadFile(depot, item, watch());
    expect(sumOf(readFileSync(blob.path))).toBe(sha256);
    expect(statSync(blob.path).mode & 0o777).toBe(0o400);
    await downloadFile(depot, item, watch());
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, readonly Fault[]]>([
    ['a busy server', ['503', '503']],
    ['a connection that breaks', ['reset']],
    ['a truncated answer', ['truncated', 'truncated']],
    ['a stall', ['stalled']],
    ['a slow server', ['slow']],
    ['no Range', ['truncated', 'no-range']],
    ['wrong content once', ['wrong']],
    ['a login page once', ['page']],
    ['another size in the middle', ['truncated', 'other-total']],
  ])('survives %s', async (_, faults) => {
    const server = await withServer();
    server.fail(PATH, ...faults);
    const depot = await depotFor();
    const blob = await downloadFile(depot, fileItem(`${server.url}${PATH}`, { sha256 }), watch());
    expect(sumOf(readFileSync(blob.path))).toBe(sha256);
  });

  it('goes on from where it stopped, also in another process', async () => {
    const server = await withServer();
    server.fail(PATH, 'stalled', '404');
    const depot = await depotFor();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    await expect(downloadFile(depot, item, watch())).rejects.toMatchObject({ code: 'ARTIFACT_UNAVAILABLE' });
    const later = await depotFor({}, { cacheFolder: depot.cache.folder });
    await downloadFile(later, item, watch());
    expect(server.requests.at(-1)).toMatchObject({ range: `bytes=${content.length / 2}-`, status: 206 });
  });

  it('begins again when the file changed meanwhile', async () => {
    const server = await withServer();
    server.put(PATH, program(100_000, 62).fill('x', 64));
    server.fail(PATH, 'truncated', '404');
    const depot = await depotFor();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    await expect(downloadFile(depot, item, watch())).rejects.toThrow();
    server.put(PATH, content);
    await downloadFile(depot, item, watch());
    expect(server.requests.at(-1)?.status).toBe(200);
  });

  it('gives up with what each try met, and keeps nothing wrong', async () => {
    const server = await withServer();
    server.fail(PATH, 'wrong', 'wrong');
    const depot = await depotFor();
    const failure = downloadFile(depot, fileItem(`${server.url}${PATH}`, { sha256 }), watch());
    await expect(failure).rejects.toMatchObject({
      code: 'ARTIFACT_UNAVAILABLE',
      message: expect.stringContaining(`override says ${sha256}`),
    });
    expect(provenBlobs(depot)).toBe(0);
    expect(readdirSync(join(depot.cache.folder, 'quarantine'))).toHaveLength(4);
  });

  it.each([
    ['a program for another machine', program(1000, 183), 'it is a program for arm64, not for amd64'],
    ['text', Buffer.from('404 page not found'), 'it is not a Linux program'],
    ['nothing', Buffer.from(''), 'it is empty'],
  ])('refuses %s, whatever its sum', async (_, bytes, told) => {
    const server = await fileServer();
    server.put(PATH, bytes);
    const failure = downloadFile(await depotFor(), fileItem(`${server.url}${PATH}`, { sha256: sumOf(bytes) }), watch());
    await expect(failure).rejects.toThrow(told);
  });

  it('stops at once when it is told to', async () => {
    const server = await withServer();
    server.fail(PATH, 'stalled');
    const stop = new AbortController();
    const failure = downloadFile(
      await depotFor({}, { patience: { stallMs: 60_000 } }),
      fileItem(`${server.url}${PATH}`, { sha256 }),
      {
        signal: stop.signal,
        say: () => {},
      },
    );
    setTimeout(() => stop.abort(), 50);
    await expect(failure).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('mirrors', () => {
  /** A mirror in front of a publisher that only tells sums. */
  const withMirror = async (faults: readonly Fault[], publisherHas = true) => {
    const [mirror, publisher] = [await fileServer(), await fileServer()];
    const mirrored = `/${publisher.host}${PATH}`;
    mirror.put(mirrored, content);
    mirror.fail(mirrored, ...faults);
    publisher.put(`${PATH}.sha256`, sha256);
    if (publisherHas) publisher.put(PATH, content);
    const depot = await depotFor({ mirror: `${mirror.url}/` });
    const item = fileItem(`${publisher.url}${PATH}`, { sumUrl: `${publisher.url}${PATH}.sha256` });
    return { mirror, publisher, depot, item, mirrored };
  };

  it('serve the bytes, and the publisher tells the sum', async () => {
    const { depot, item, publisher, mirror } = await withMirror([]);
    await downloadFile(depot, item, watch());
    expect(publisher.requests.map(({ path }) => path)).toEqual([`${PATH}.sha256`]);
    expect(mirror.requests).toHaveLength(1);
  });

  it('are left for the publisher when they serve something else', async () => {
    const said: string[] = [];
    const { depot, item, publisher } = await withMirror(['wrong', 'wrong']);
    await downloadFile(depot, item, watch(said));
    expect(publisher.requests.some(({ path }) => path === PATH)).toBe(true);
    expect(said.join('\n')).toContain('it is set aside');
  });

  it('are never believed about what they serve', async () => {
    const { depot, item, publisher, mirror, mirrored } = await withMirror([]);
    publisher.fail(`${PATH}.sha256`, '404');
    mirror.put(mirrored, program(5000));
    mirror.put(`${mirrored}.sha256`, sumOf(program(5000)));
    await expect(downloadFile(depot, item, watch())).rejects.toMatchObject({ code: 'SUM_UNKNOWN' });
    expect(mirror.requests).toEqual([]);
  });

  it('that are two may vouch for each other, not for themselves', async () => {
    const [first, second] = [await fileServer(), await fileServer()];
    const depot = await depotFor({ mirror: 'https://first.example.com' });
    const hosts = { 'https://first.example.com': first.url, 'https://files.m.daocloud.io': second.url };
    const http = {
      ...depot.http,
      request: (url: string, request: HttpRequest) => {
        const [from, to] = Object.entries(hosts).find(([host]) => url.startsWith(host)) ?? [
          'https://',
          'http://127.0.0.1:1/',
        ];
        return depot.http.request(url.replace(from, to), request);
      },
    };
    const mirrored = '/dl.k8s.io/kubelet';
    first.put(`${mirrored}.sha256`, sha256);
    first.put(mirrored, content);
    second.put(mirrored, content);
    const item = fileItem('https://dl.k8s.io/kubelet', { sumUrl: 'https://dl.k8s.io/kubelet.sha256' });
    await downloadFile({ ...depot, zone: 'cn', http }, item, watch());
    expect(first.requests.map(({ path }) => path)).toEqual([`${mirrored}.sha256`]);
    expect(second.requests.map(({ path }) => path)).toEqual([mirrored]);
  });

  it('take over in the middle of a file', async () => {
    const { depot, item, publisher, mirrored, mirror } = await withMirror(['stalled', '404']);
    await downloadFile(depot, item, watch());
    expect(mirror.requests.filter(({ path }) => path === mirrored)).toHaveLength(2);
    expect(publisher.requests.at(-1)).toMatchObject({ path: PATH, status: 206 });
  });

  it('whose half does not fit the other half cost one more download, not the file', async () => {
    const { depot, item, mirror, mirrored } = await withMirror([]);
    mirror.put(mirrored, program().fill('x', 64));
    mirror.fail(mirrored, 'stalled', '404');
    const blob = await downloadFile(depot, item, watch());
    expect(sumOf(readFileSync(blob.path))).toBe(sha256);
  });
});

describe('sums', () => {
  it('come from a file of sums, by as much of the path as it has', async () => {
    const server = await withServer();
    const checksums = join(folder(), 'sums.txt');
    writeFileSync(checksums, `${'0'.repeat(64)}  other/kubelet\n${sha256} *release/kubelet\n`);
    const depot = await depotFor({ checksums });
    await downloadFile(depot, fileItem(`${server.url}${PATH}`), watch());
    writeFileSync(checksums, `${'0'.repeat(64)}  kubelet\n${sha256}  kubelet\n`);
    const unsure = downloadFile(await depotFor({ checksums }), fileItem(`${server.url}${PATH}`), watch());
    await expect(unsure).rejects.toMatchObject({ code: 'CHECKSUMS_AMBIGUOUS' });
  });

  it('are asked for once and remembered', async () => {
    const server = await withServer();
    server.put('/release/SHA256SUMS', `${'1'.repeat(64)}  other\n${sha256}  kubelet\n`);
    const depot = await depotFor();
    const item = fileItem(`${server.url}${PATH}`, { sumUrl: `${server.url}/release/SHA256SUMS` });
    server.fail(PATH, '404');
    await expect(downloadFile(depot, item, watch())).rejects.toThrow();
    await downloadFile(depot, item, watch());
    expect(server.requests.filter(({ path }) => path.endsWith('SUMS'))).toHaveLength(1);
  });

  it('that the publisher tells wrongly keep the file out', async () => {
    const server = await withServer();
    server.put(`${PATH}.sha256`, 'f'.repeat(64));
    const depot = await depotFor();
    const item = fileItem(`${server.url}${PATH}`, { sumUrl: `${server.url}${PATH}.sha256` });
    await expect(downloadFile(depot, item, watch())).rejects.toThrow(`127.0.0.1`);
    expect(provenBlobs(depot)).toBe(0);
  });

  it('that nobody tells are learnt from the publisher over TLS, and hold from then on', async () => {
    const tls = certificate();
    const server = await fileServer(tls);
    server.put(PATH, content);
    const depot = await depotFor({}, { http: { ca: tls.cert } });
    const item = fileItem(`${server.url}${PATH}`);
    const blob = await downloadFile(depot, item, watch());
    chmodSync(blob.path, 0o600);
    appendFileSync(blob.path, 'x');
    server.put(PATH, program(7000));
    await expect(downloadFile(depot, item, watch())).rejects.toThrow('at first download says');
  });

  it('that nobody tells are not learnt without TLS', async () => {
    const server = await withServer();
    const failure = downloadFile(await depotFor(), fileItem(`${server.url}${PATH}`), watch());
    await expect(failure).rejects.toMatchObject({ code: 'SUM_UNKNOWN' });
  });
});

describe('the cache', () => {
  it('is not fooled by a file that was changed in it', async () => {
    const server = await withServer();
    const depot = await depotFor();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    const { path } = await downloadFile(depot, item, watch());
    chmodSync(path, 0o600);
    appendFileSync(path, 'x');
    expect(sumOf(readFileSync((await downloadFile(depot, item, watch())).path))).toBe(sha256);
    expect(server.requests).toHaveLength(2);
  });

  it('links a file to where a cluster has it, and again when it was altered there', async () => {
    const server = await withServer();
    const depot = await depotFor();
    const blob = await downloadFile(depot, fileItem(`${server.url}${PATH}`, { sha256 }), watch());
    const place = join(folder(), 'prod/kubelet');
    await depot.cache.link(blob, place);
    expect(statSync(place).ino).toBe(statSync(blob.path).ino);
    linkSync(place, `${place}.old`);
    writeFileSync(`${place}.copy`, 'other');
    expect(await depot.cache.isAt(blob, `${place}.copy`)).toBe(false);
    await depot.cache.link(blob, `${place}.copy`);
    expect(sumOf(readFileSync(`${place}.copy`))).toBe(sha256);
    expect(readdirSync(join(place, '..')).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('lets one of many download, and the others take it', async () => {
    const server = await withServer();
    const first = await depotFor();
    const second = await depotFor({}, { cacheFolder: first.cache.folder });
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    await Promise.all([first, second, first, second].map((depot) => downloadFile(depot, item, watch())));
    expect(server.requests).toHaveLength(1);
  });

  it('takes the same content under many names at once, and keeps it once', async () => {
    const server = await fileServer();
    const depot = await depotFor();
    const items = Array.from({ length: 8 }, (_, at) => fileItem(`${server.url}/${at}`, { sha256 }));
    for (let at = 0; at < 8; at++) server.put(`/${at}`, content);
    const place = folder();
    await Promise.all(
      items.map(async (item, at) => depot.cache.link(await downloadFile(depot, item, watch()), join(place, `${at}`))),
    );
    const blob = await depot.cache.find(sha256);
    for (let at = 0; at < 8; at++) expect(await depot.cache.isAt(blob!, join(place, `${at}`))).toBe(true);
    expect(provenBlobs(depot)).toBe(1);
  });

  it('answers offline, and names what it does not have', async () => {
    const server = await withServer();
    const depot = await depotFor();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    const offline = await depotFor({}, { cacheFolder: depot.cache.folder, offline: true });
    await expect(downloadFile(offline, item, watch())).rejects.toMatchObject({
      code: 'OFFLINE_MISSING',
      report: { title: expect.stringContaining('kubelet 1.35.8 amd64') },
    });
    expect(server.requests).toEqual([]);
    await downloadFile(depot, item, watch());
    await downloadFile(offline, item, watch());
  });
});

it('ends with the right content or an error, whatever goes wrong, and never with wrong content in the cache', async () => {
  const faults = fc.constantFrom<Fault>(
    'none',
    '503',
    '404',
    'reset',
    'truncated',
    'slow',
    'wrong',
    'page',
    'no-range',
    'other-total',
  );
  const [mirror, publisher] = [await fileServer(), await fileServer()];
  publisher.put(PATH, content);
  const mirrored = `/${publisher.host}${PATH}`;
  mirror.put(mirrored, content);
  await fc.assert(
    fc.asyncProperty(fc.array(faults, { maxLength: 8 }), fc.array(faults, { maxLength: 8 }), async (there, here) => {
      await using depot = await depotFor({ mirror: mirror.url });
      mirror.fail(mirrored, ...there);
      publisher.fail(PATH, ...here);
      const item = fileItem(`${publisher.url}${PATH}`, { sha256 });
      const ends = await downloadFile(depot, item, watch()).then(
        (blob) => sumOf(readFileSync(blob.path)),
        (error: { code: string }) => error.code,
      );
      expect([sha256, 'ARTIFACT_UNAVAILABLE']).toContain(ends);
      expect(provenBlobs(depot)).toBe(ends === sha256 ? 1 : 0);
    }),
    { numRuns: 150 },
  );
});
