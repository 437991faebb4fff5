import fc from 'fast-check';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  chmodSync,
  appendFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { downloadFile } from '../../../src/resource/download/download-file.ts';
import type { HttpRequest } from '../../../src/resource/download/http.ts';
import {
  certificate,
  testDownloader,
  fileItem,
  folder,
  program,
  countVerifiedBlobs,
  transferContext,
} from './support/downloader.ts';
import { fileServer, sha256Of, type Fault } from './support/server.ts';

const PATH = '/release/kubelet';
const content = program();
const sha256 = sha256Of(content);

/** A publisher without TLS, so the item needs a checksum. */
const withServer = async () => {
  const server = await fileServer();
  server.put(PATH, content);
  return server;
};

describe('one source', () => {
  it('downloads the file into the cache once', async () => {
    const server = await withServer();
    const downloader = await testDownloader();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    const blob = await downloadFile(downloader, item, transferContext());
    expect(sha256Of(readFileSync(blob.path))).toBe(sha256);
    expect(statSync(blob.path).mode & 0o777).toBe(0o400);
    await downloadFile(downloader, item, transferContext());
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, readonly Fault[]]>([
    ['a busy server', ['503', '503']],
    ['a broken connection', ['reset']],
    ['a truncated response', ['truncated', 'truncated']],
    ['a stall', ['stalled']],
    ['a slow server', ['slow']],
    ['a server without Range support', ['truncated', 'no-range']],
    ['corrupt content once', ['wrong']],
    ['a login page once', ['page']],
    ['a size that changes on resume', ['truncated', 'other-total']],
    ['a range that starts elsewhere', ['truncated', 'other-start']],
  ])('survives %s', async (_, faults) => {
    const server = await withServer();
    server.fail(PATH, ...faults);
    const downloader = await testDownloader();
    const blob = await downloadFile(downloader, fileItem(`${server.url}${PATH}`, { sha256 }), transferContext());
    expect(sha256Of(readFileSync(blob.path))).toBe(sha256);
  });

  it('resumes where it stopped, even in another process', async () => {
    const server = await withServer();
    server.fail(PATH, 'stalled', '404');
    const downloader = await testDownloader();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    await expect(downloadFile(downloader, item, transferContext())).rejects.toMatchObject({
      code: 'ARTIFACT_UNAVAILABLE',
    });
    const later = await testDownloader({}, { cacheFolder: downloader.cache.folder });
    await downloadFile(later, item, transferContext());
    expect(server.requests.at(-1)).toMatchObject({ range: `bytes=${content.length / 2}-`, status: 206 });
  });

  it('starts again when the file changed in the meantime', async () => {
    const server = await withServer();
    server.put(PATH, program(100_000, 62).fill('x', 64));
    server.fail(PATH, 'stalled', '404');
    const downloader = await testDownloader();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    await expect(downloadFile(downloader, item, transferContext())).rejects.toThrow();
    server.put(PATH, content);
    const before = server.requests.length;
    await downloadFile(downloader, item, transferContext());
    expect(server.requests.slice(before)).toEqual([
      { path: PATH, range: expect.stringMatching(/^bytes=[1-9]/), status: 200 },
    ]);
  });

  it('does not append a range that starts elsewhere', async () => {
    const server = await withServer();
    server.fail(PATH, 'stalled', 'other-start');
    const downloader = await testDownloader();
    await downloadFile(downloader, fileItem(`${server.url}${PATH}`, { sha256 }), transferContext());
    expect(existsSync(join(downloader.cache.folder, 'quarantine'))).toBe(false);
  });

  it('reports every attempt and caches nothing when it gives up', async () => {
    const server = await withServer();
    server.fail(PATH, 'wrong', 'wrong');
    const downloader = await testDownloader();
    const failure = downloadFile(downloader, fileItem(`${server.url}${PATH}`, { sha256 }), transferContext());
    await expect(failure).rejects.toMatchObject({
      code: 'ARTIFACT_UNAVAILABLE',
      message: expect.stringContaining(`expected ${sha256} (from override)`),
    });
    expect(countVerifiedBlobs(downloader)).toBe(0);
    expect(readdirSync(join(downloader.cache.folder, 'quarantine'))).toHaveLength(4);
  });

  it.each([
    ['a binary for another architecture', program(1000, 183), 'it is a binary for arm64, not for amd64'],
    ['text', Buffer.from('404 page not found'), 'it is not a Linux binary'],
    ['an empty file', Buffer.from(''), 'it is empty'],
  ])('rejects %s even if the checksum matches', async (_, bytes, reason) => {
    const server = await fileServer();
    server.put(PATH, bytes);
    const failure = downloadFile(
      await testDownloader(),
      fileItem(`${server.url}${PATH}`, { sha256: sha256Of(bytes) }),
      transferContext(),
    );
    await expect(failure).rejects.toThrow(reason);
  });

  it('stops immediately when it is aborted', async () => {
    const server = await withServer();
    server.fail(PATH, 'stalled');
    const stop = new AbortController();
    const failure = downloadFile(
      await testDownloader({}, { retry: { stallTimeoutMs: 60_000 } }),
      fileItem(`${server.url}${PATH}`, { sha256 }),
      {
        signal: stop.signal,
        say: () => {},
      },
    );
    await vi.waitUntil(() => server.requests.length === 1, { timeout: 60_000 });
    stop.abort();
    await expect(failure).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('mirrors', () => {
  /** A mirror in front of a publisher that provides the checksum and, by default, the file. */
  const withMirror = async (faults: readonly Fault[], publisherHas = true) => {
    const [mirror, publisher] = [await fileServer(), await fileServer()];
    const mirrored = `/${publisher.host}${PATH}`;
    mirror.put(mirrored, content);
    mirror.fail(mirrored, ...faults);
    publisher.put(`${PATH}.sha256`, sha256);
    if (publisherHas) publisher.put(PATH, content);
    const downloader = await testDownloader({ mirror: `${mirror.url}/` });
    const item = fileItem(`${publisher.url}${PATH}`, { checksumUrl: `${publisher.url}${PATH}.sha256` });
    return { mirror, publisher, downloader, item, mirrored };
  };

  it('serve the file while the publisher provides the checksum', async () => {
    const { downloader, item, publisher, mirror } = await withMirror([]);
    await downloadFile(downloader, item, transferContext());
    expect(publisher.requests.map(({ path }) => path)).toEqual([`${PATH}.sha256`]);
    expect(mirror.requests).toHaveLength(1);
  });

  it('are skipped in favour of the publisher when they serve other content', async () => {
    const lines: string[] = [];
    const { downloader, item, publisher } = await withMirror(['wrong', 'wrong']);
    await downloadFile(downloader, item, transferContext(lines));
    expect(publisher.requests.some(({ path }) => path === PATH)).toBe(true);
    expect(lines.join('\n')).toContain('quarantined');
  });

  it('are not trusted for the checksum of a file they serve', async () => {
    const { downloader, item, publisher, mirror, mirrored } = await withMirror([]);
    publisher.fail(`${PATH}.sha256`, '404');
    mirror.put(mirrored, program(5000));
    mirror.put(`${mirrored}.sha256`, sha256Of(program(5000)));
    await expect(downloadFile(downloader, item, transferContext())).rejects.toMatchObject({ code: 'SUM_UNKNOWN' });
    expect(mirror.requests).toEqual([]);
  });

  it('are trusted for files and checksums if the cluster file says so, for that cluster only', async () => {
    const { item, publisher, mirror, mirrored } = await withMirror([]);
    publisher.fail(`${PATH}.sha256`, '404', '404');
    mirror.put(`${mirrored}.sha256`, sha256);
    const trusting = await testDownloader({ mirror: `${mirror.url}/`, trustMirror: true });
    await downloadFile(trusting, item, transferContext());
    const plain = fileItem(`${publisher.url}/unpublished`);
    mirror.put(`/${publisher.host}/unpublished`, program(7000));
    await downloadFile(trusting, plain, transferContext());
    const cacheFolder = trusting.cache.folder;
    const other = await testDownloader({ mirror: `${mirror.url}/` }, { cacheFolder });
    for (const one of [item, plain])
      await expect(downloadFile(other, one, transferContext())).rejects.toMatchObject({ code: 'SUM_UNKNOWN' });
  });

  it('may provide checksums for each other, but not for themselves', async () => {
    const [first, second] = [await fileServer(), await fileServer()];
    const downloader = await testDownloader({ mirror: 'https://first.example.com' });
    const hosts = { 'https://first.example.com': first.url, 'https://files.m.daocloud.io': second.url };
    const http = {
      ...downloader.http,
      request: (url: string, request: HttpRequest) => {
        const [from, to] = Object.entries(hosts).find(([host]) => url.startsWith(host)) ?? [
          'https://',
          'http://127.0.0.1:1/',
        ];
        return downloader.http.request(url.replace(from, to), request);
      },
    };
    const mirrored = '/dl.k8s.io/kubelet';
    first.put(`${mirrored}.sha256`, sha256);
    first.put(mirrored, content);
    second.put(mirrored, content);
    const item = fileItem('https://dl.k8s.io/kubelet', { checksumUrl: 'https://dl.k8s.io/kubelet.sha256' });
    await downloadFile({ ...downloader, zone: 'cn', http }, item, transferContext());
    expect(first.requests.map(({ path }) => path)).toEqual([`${mirrored}.sha256`]);
    expect(second.requests.map(({ path }) => path)).toEqual([mirrored]);
  });

  it('can be replaced in the middle of a file', async () => {
    const { downloader, item, publisher, mirrored, mirror } = await withMirror(['stalled', '404']);
    await downloadFile(downloader, item, transferContext());
    expect(mirror.requests.filter(({ path }) => path === mirrored)).toHaveLength(2);
    expect(publisher.requests.at(-1)).toMatchObject({ path: PATH, status: 206 });
  });

  it('cause one more download when their bytes do not fit those of the publisher', async () => {
    const { downloader, item, mirror, mirrored } = await withMirror([]);
    mirror.put(mirrored, program().fill('x', 64));
    mirror.fail(mirrored, 'stalled', '404');
    const blob = await downloadFile(downloader, item, transferContext());
    expect(sha256Of(readFileSync(blob.path))).toBe(sha256);
  });
});

describe('checksums', () => {
  it('are read from the checksum file by the longest matching path', async () => {
    const server = await withServer();
    const checksums = join(folder(), 'checksums.txt');
    writeFileSync(checksums, `${'0'.repeat(64)}  other/kubelet\n${sha256} *release/kubelet\n`);
    const downloader = await testDownloader({ checksums });
    await downloadFile(downloader, fileItem(`${server.url}${PATH}`), transferContext());
    writeFileSync(checksums, `${'0'.repeat(64)}  kubelet\n${sha256}  kubelet\n`);
    const ambiguous = downloadFile(
      await testDownloader({ checksums }),
      fileItem(`${server.url}${PATH}`),
      transferContext(),
    );
    await expect(ambiguous).rejects.toMatchObject({ code: 'CHECKSUMS_AMBIGUOUS' });
  });

  it('are fetched once and recorded', async () => {
    const server = await withServer();
    server.put('/release/SHA256SUMS', `${'1'.repeat(64)}  other\n${sha256}  kubelet\n`);
    const downloader = await testDownloader();
    const item = fileItem(`${server.url}${PATH}`, { checksumUrl: `${server.url}/release/SHA256SUMS` });
    server.fail(PATH, '404');
    await expect(downloadFile(downloader, item, transferContext())).rejects.toThrow();
    await downloadFile(downloader, item, transferContext());
    expect(server.requests.filter(({ path }) => path.endsWith('SUMS'))).toHaveLength(1);
  });

  it('that do not match the file keep it out of the cache', async () => {
    const server = await withServer();
    server.put(`${PATH}.sha256`, 'f'.repeat(64));
    const downloader = await testDownloader();
    const item = fileItem(`${server.url}${PATH}`, { checksumUrl: `${server.url}${PATH}.sha256` });
    await expect(downloadFile(downloader, item, transferContext())).rejects.toThrow(`127.0.0.1`);
    expect(countVerifiedBlobs(downloader)).toBe(0);
  });

  it('that are not published are recorded at the first download over TLS', async () => {
    const tls = certificate();
    const server = await fileServer(tls);
    server.put(PATH, content);
    const downloader = await testDownloader({}, { http: { ca: tls.cert } });
    const item = fileItem(`${server.url}${PATH}`);
    const blob = await downloadFile(downloader, item, transferContext());
    chmodSync(blob.path, 0o600);
    appendFileSync(blob.path, 'x');
    server.put(PATH, program(7000));
    await expect(downloadFile(downloader, item, transferContext())).rejects.toThrow('at first download)');
  });

  it('that are not published make a download without TLS fail', async () => {
    const server = await withServer();
    const failure = downloadFile(await testDownloader(), fileItem(`${server.url}${PATH}`), transferContext());
    await expect(failure).rejects.toMatchObject({ code: 'SUM_UNKNOWN' });
  });
});

describe('the cache', () => {
  it('detects a modified file', async () => {
    const server = await withServer();
    const downloader = await testDownloader();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    const { path } = await downloadFile(downloader, item, transferContext());
    chmodSync(path, 0o600);
    appendFileSync(path, 'x');
    expect(sha256Of(readFileSync((await downloadFile(downloader, item, transferContext())).path))).toBe(sha256);
    expect(server.requests).toHaveLength(2);
  });

  it('links a file into a cluster folder, and replaces a modified one', async () => {
    const server = await withServer();
    const downloader = await testDownloader();
    const blob = await downloadFile(downloader, fileItem(`${server.url}${PATH}`, { sha256 }), transferContext());
    const path = join(folder(), 'prod/kubelet');
    await downloader.cache.link(blob, path);
    expect(statSync(path).ino).toBe(statSync(blob.path).ino);
    linkSync(path, `${path}.old`);
    writeFileSync(`${path}.copy`, 'other');
    expect(await downloader.cache.isAt(blob, `${path}.copy`)).toBe(false);
    await downloader.cache.link(blob, `${path}.copy`);
    expect(sha256Of(readFileSync(`${path}.copy`))).toBe(sha256);
    expect(readdirSync(join(path, '..')).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('downloads a file once for concurrent processes', async () => {
    const server = await withServer();
    const first = await testDownloader();
    const second = await testDownloader({}, { cacheFolder: first.cache.folder });
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    await Promise.all(
      [first, second, first, second].map((downloader) => downloadFile(downloader, item, transferContext())),
    );
    expect(server.requests).toHaveLength(1);
  });

  it('stores the same content from many URLs once', async () => {
    const server = await fileServer();
    const downloader = await testDownloader();
    const items = Array.from({ length: 8 }, (_, at) => fileItem(`${server.url}/${at}`, { sha256 }));
    for (let at = 0; at < 8; at++) server.put(`/${at}`, content);
    const path = folder();
    await Promise.all(
      items.map(async (item, at) =>
        downloader.cache.link(await downloadFile(downloader, item, transferContext()), join(path, `${at}`)),
      ),
    );
    const blob = await downloader.cache.find(sha256);
    for (let at = 0; at < 8; at++) expect(await downloader.cache.isAt(blob!, join(path, `${at}`))).toBe(true);
    expect(countVerifiedBlobs(downloader)).toBe(1);
  });

  it('serves files offline and names missing ones', async () => {
    const server = await withServer();
    const downloader = await testDownloader();
    const item = fileItem(`${server.url}${PATH}`, { sha256 });
    const offline = await testDownloader({}, { cacheFolder: downloader.cache.folder, offline: true });
    await expect(downloadFile(offline, item, transferContext())).rejects.toMatchObject({
      code: 'OFFLINE_MISSING',
      report: { title: expect.stringContaining('kubelet 1.35.8 amd64') },
    });
    expect(server.requests).toEqual([]);
    await downloadFile(downloader, item, transferContext());
    await downloadFile(offline, item, transferContext());
  });
});

it('returns correct content or an error for any sequence of faults, and never caches wrong content', async () => {
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
    fc.asyncProperty(
      fc.array(faults, { maxLength: 8 }),
      fc.array(faults, { maxLength: 8 }),
      async (mirrorFaults, publisherFaults) => {
        await using downloader = await testDownloader({ mirror: mirror.url });
        mirror.fail(mirrored, ...mirrorFaults);
        publisher.fail(PATH, ...publisherFaults);
        const item = fileItem(`${publisher.url}${PATH}`, { sha256 });
        const result = await downloadFile(downloader, item, transferContext()).then(
          (blob) => sha256Of(readFileSync(blob.path)),
          (error: { code: string }) => error.code,
        );
        expect([sha256, 'ARTIFACT_UNAVAILABLE']).toContain(result);
        expect(countVerifiedBlobs(downloader)).toBe(result === sha256 ? 1 : 0);
      },
    ),
    { numRuns: 150 },
  );
});
