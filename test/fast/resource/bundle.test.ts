import { createHash, generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexText, parseIndex, sha256Hex, type BundleIndex } from '../../../src/resource/bundle/bundle-index.ts';
import { composeBundle, type BundleInfo, type BundleParts } from '../../../src/resource/bundle/compose.ts';
import { diffBundles } from '../../../src/resource/bundle/diff.ts';
import { loadBundle } from '../../../src/resource/bundle/load.ts';
import { openBundle, type OpenBundle } from '../../../src/resource/bundle/open.ts';
import { fingerprint, signText } from '../../../src/resource/bundle/sign.ts';
import { findPackageRecord, writePackageRecord } from '../../../src/resource/bundle/system-packages.ts';
import { contentProblems } from '../../../src/resource/bundle/verify.ts';
import { bundleTar } from '../../../src/resource/bundle/write.ts';
import { writeChecksumRecord, readChecksumRecord } from '../../../src/resource/cache/checksum-record.ts';
import { findImage, readImageRecord, writeImageRecord, storeText } from '../../../src/resource/oci/image-store.ts';
import { knownChecksum } from '../../../src/resource/download/expected-checksum.ts';
import { knownDigest } from '../../../src/resource/oci/expected-digest.ts';
import { readTar } from '../../../src/util/read-tar.ts';
import { tarOf, type TarEntry } from '../../../src/util/tar.ts';
import { testDownloader, fileItem, countVerifiedBlobs, transferContext } from './support/downloader.ts';
import { sha256Of } from './support/server.ts';

const INFO: BundleInfo = { cluster: 'prod', kubernetes: '1.35.8', arches: ['amd64'], notes: [], base: undefined };
const { privateKey: key } = generateKeyPairSync('ed25519');
const REF = 'registry.k8s.io/pause:3.99';

/** A cache with two files, an image and a package, and a bundle of them. */
async function sample(more: Partial<BundleInfo> = {}, version = '1.35.8') {
  const downloader = await testDownloader();
  const { cache } = downloader;
  const kubelet = await storeText(cache, `kubelet ${version}`);
  const runc = await storeText(cache, 'runc');
  const [config, layer, deb] = [
    await storeText(cache, '{"architecture":"amd64"}'),
    await storeText(cache, 'layer'),
    await storeText(cache, 'deb'),
  ];
  const part = (blob: { readonly sha256: string; readonly size: number }) => ({
    digest: `sha256:${blob.sha256}`,
    size: blob.size,
  });
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = await storeText(
    cache,
    JSON.stringify({ schemaVersion: 2, mediaType, config: part(config), layers: [part(layer)] }),
  );
  const digest = `sha256:${manifest.sha256}`;
  await writeImageRecord(cache, {
    ref: REF,
    digest,
    from: 'test',
    manifests: [{ mediaType, digest, size: manifest.size, arch: 'amd64' }],
  });
  const parts: BundleParts = {
    files: [
      { item: fileItem(`https://dl.k8s.io/${version}/kubelet`, { version }), blob: kubelet, own: false },
      { item: fileItem('https://github.com/runc', { name: 'runc', version: '1.4.3' }), blob: runc, own: false },
    ],
    images: [(await findImage(cache, REF, ['amd64']))!],
    systems: [
      {
        id: 'debian-12',
        arch: 'amd64',
        wanted: ['chrony'],
        packages: [
          { name: 'chrony', version: '4.3-2', file: 'chrony_4.3-2_amd64.deb', sha256: deb.sha256, size: deb.size },
        ],
      },
    ],
  };
  const bundle = composeBundle({ ...INFO, ...more }, parts);
  return { downloader, cache, parts, bundle, bytes: await bytesOf(bundleTar(cache, bundle, key, () => {})) };
}

async function bytesOf(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of source) all.push(chunk);
  return Buffer.concat(all);
}

async function* inChunks(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const opened = (bytes: Buffer, size?: number) => openBundle('b.tar.gz', inChunks(bytes, size));
const problemsOf = async (bytes: Buffer) => {
  await using bundle = await opened(bytes);
  return { signed: bundle.signer !== undefined, problems: await contentProblems(bundle, () => {}) };
};

async function filesIn(bytes: Buffer): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { path, content } of readTar(inChunks(bytes)))
    all.push(`${path} ${sha256Of(await bytesOf(content))}`);
  return all;
}

/** Changes the files of a tar archive. */
async function altered(bytes: Buffer, change: (files: Map<string, Buffer>) => void): Promise<Buffer> {
  const files = new Map<string, Buffer>();
  for await (const { path, content } of readTar(inChunks(bytes))) files.set(path, await bytesOf(content));
  change(files);
  const entries = [...files].map(([path, content]): TarEntry => ({
    type: 'text',
    path,
    text: content.toString(),
    mode: 0o644,
  }));
  return bytesOf(tarOf(entries));
}

const blobOf = (files: ReadonlyMap<string, Buffer>, text: string) =>
  [...files].find(([path, content]) => path.startsWith('blobs/') && content.toString() === text)![0];

describe('a bundle', () => {
  it('has the composed index and a valid signature', async () => {
    const { bytes, bundle } = await sample();
    await using open = await opened(bytes);
    expect(open.index).toEqual(bundle.index);
    expect(fingerprint(open.signer!)).toBe(fingerprint(key));
    expect(await contentProblems(open, () => {})).toEqual([]);
  });

  it('has a bill of materials with every file, image and package', async () => {
    const { bundle } = await sample();
    const { packages, spdxVersion } = JSON.parse(bundle.sbom);
    expect(spdxVersion).toBe('SPDX-2.3');
    expect(
      packages.map(({ name, versionInfo }: { name: string; versionInfo: string }) => `${name} ${versionInfo}`),
    ).toEqual(['kubelet/amd64 1.35.8', 'runc/amd64 1.4.3', 'registry.k8s.io/pause 3.99', 'debian-12/chrony 4.3-2']);
    expect(packages.at(-1).externalRefs[0].referenceLocator).toBe(
      'pkg:deb/debian/chrony@4.3-2?arch=amd64&distro=debian-12',
    );
  });

  it('does not depend on the order of its parts', async () => {
    const { cache, parts, bytes } = await sample();
    const reversed = { ...parts, files: parts.files.toReversed() };
    expect((await bytesOf(bundleTar(cache, composeBundle(INFO, reversed), key, () => {}))).equals(bytes)).toBe(true);
  });

  it('can be loaded into an empty cache, repeatedly', async () => {
    const { bytes } = await sample();
    const downloader = await testDownloader();
    for (const _ of [1, 2]) await loadBundle(downloader.cache, await opened(bytes), transferContext());
    expect(countVerifiedBlobs(downloader)).toBe(6);
    expect(await readChecksumRecord(downloader.cache.folder, 'https://github.com/runc')).toMatchObject({
      from: 'bundle of prod',
    });
    expect(await findImage(downloader.cache, REF, ['amd64'])).toBeDefined();
    const need = { id: 'debian-12', arch: 'amd64' as const };
    expect((await findPackageRecord(downloader.cache, { ...need, wanted: ['chrony'] }))?.packages).toHaveLength(1);
    expect(await findPackageRecord(downloader.cache, { ...need, wanted: ['chrony', 'socat'] })).toBeUndefined();
  });
});

it('keeps the package records of two bundles and finds the one that covers the wanted packages', async () => {
  const { cache } = await testDownloader();
  const packageOf = (name: string, version: string) => ({
    name,
    version,
    file: `${name}_${version}_amd64.deb`,
    sha256: sha256Of(`${name} ${version}`),
    size: 1,
  });
  const system = (...names: readonly string[]) => ({ id: 'debian-12', arch: 'amd64' as const, wanted: [...names] });
  const recalled = async (...names: readonly string[]) =>
    (await findPackageRecord(cache, system(...names)))?.packages.map(({ file }) => file);
  await writePackageRecord(cache, {
    ...system('chrony', 'jq'),
    packages: [packageOf('chrony', '1'), packageOf('jq', '1')],
  });
  await writePackageRecord(cache, { ...system('socat'), packages: [packageOf('socat', '1')] });
  expect(await recalled('chrony')).toEqual(['chrony_1_amd64.deb', 'jq_1_amd64.deb']);
  expect(await recalled('socat')).toEqual(['socat_1_amd64.deb']);
  expect(await recalled('socat', 'jq')).toBeUndefined();
  await writePackageRecord(cache, { ...system('socat'), packages: [packageOf('socat', '2')] });
  expect(await recalled('socat')).toEqual(['socat_2_amd64.deb']);
});

it('does not record checksums from a cluster file', async () => {
  const { cache, parts } = await sample();
  const own = parts.files.map((file) => ({ ...file, own: true }));
  const bundle = composeBundle(INFO, { ...parts, files: own });
  const downloader = await testDownloader();
  await loadBundle(
    downloader.cache,
    await opened(await bytesOf(bundleTar(cache, bundle, key, () => {}))),
    transferContext(),
  );
  expect(countVerifiedBlobs(downloader)).toBe(6);
  expect(await readChecksumRecord(downloader.cache.folder, 'https://github.com/runc')).toBeUndefined();
});

describe('the records of a bundle', () => {
  it('apply to its own cluster, and to every cluster that is offline', async () => {
    const { bytes, bundle } = await sample();
    const own = await testDownloader({}, { cluster: 'prod' });
    const cacheFolder = own.cache.folder;
    const other = await testDownloader({}, { cluster: 'dev', cacheFolder });
    const offline = await testDownloader({}, { cluster: 'dev', offline: true, cacheFolder });
    await loadBundle(own.cache, await opened(bytes), transferContext());
    const { url, sha256 } = bundle.index.files[0]!;
    const [image] = bundle.index.images;
    const item = { ref: REF, sha256: undefined };
    for (const downloader of [own, offline]) {
      expect(await knownChecksum(downloader, fileItem(url))).toEqual({ sha256, from: 'bundle of prod' });
      expect(await knownDigest(downloader, item)).toEqual({ digest: image!.digest, from: 'bundle of prod' });
    }
    expect(await knownChecksum(other, fileItem(url))).toBeUndefined();
    expect(await knownDigest(other, item)).toBeUndefined();
  });

  it('keep the origin and the other architectures of a digest that is known already', async () => {
    const { bytes, bundle } = await sample();
    const { cache } = await testDownloader();
    const { digest, manifests } = bundle.index.images[0]!;
    const arm64 = { ...manifests[0]!, arch: 'arm64' as const };
    await writeImageRecord(cache, { ref: REF, digest, from: 'registry.k8s.io', manifests: [arm64] });
    await loadBundle(cache, await opened(bytes), transferContext());
    expect(await readImageRecord(cache, REF)).toMatchObject({
      from: 'registry.k8s.io',
      manifests: [{ arch: 'amd64' }, { arch: 'arm64' }],
    });
  });
});

describe('a modified bundle', () => {
  type Change = (files: Map<string, Buffer>) => void;
  const edit =
    (change: (index: BundleIndex) => void): Change =>
    (files) => {
      const index: BundleIndex = JSON.parse(files.get('index.json')!.toString());
      change(index);
      files.set('index.json', Buffer.from(indexText(index)));
    };
  it.each<[string, Change, boolean, string | RegExp]>([
    [
      'changed content',
      (files) => files.set(blobOf(files, 'runc'), Buffer.from('rung')),
      true,
      /\(runc 1\.4\.3 amd64\): checksum is/,
    ],
    [
      'changed length',
      (files) => files.set(blobOf(files, 'runc'), Buffer.from('runcible')),
      true,
      /size is 8 bytes, expected 4/,
    ],
    [
      'a missing file',
      (files) => files.delete(blobOf(files, 'layer')),
      true,
      /\(registry\.k8s\.io\/pause:3\.99\): missing from the archive/,
    ],
    [
      'an additional file',
      (files) => files.set('blobs/sha256/0', Buffer.from('x')),
      true,
      'blobs/sha256/0: not in the index, or a duplicate',
    ],
    [
      'a changed bill of materials',
      (files) => files.set('sbom.spdx.json', Buffer.from('{}')),
      true,
      /bill of materials/,
    ],
    [
      'an index without one of its files',
      edit((index) => index.content.pop()),
      false,
      /missing from the content list of the index/,
    ],
    [
      'an index with a changed checksum',
      edit((index) => (index.content[1]!.sha256 = 'a'.repeat(64))),
      false,
      /missing from the archive|checksum is/,
    ],
  ])('is detected: %s', async (_, change, signed, problem) => {
    const { bytes } = await sample();
    const found = await problemsOf(await altered(bytes, change));
    expect(found.signed).toBe(signed);
    expect(found.problems.join('\n')).toMatch(problem);
  });

  it('has another signer if it was signed again', async () => {
    const { bytes } = await sample();
    const other = generateKeyPairSync('ed25519').privateKey;
    const forged = await altered(bytes, (files) => {
      edit((index) => index.notes.push('trust me'))(files);
      files.set('signature.json', Buffer.from(JSON.stringify(signText(files.get('index.json')!.toString(), other))));
    });
    await using open = await opened(forged);
    expect(fingerprint(open.signer!)).toBe(fingerprint(other));
    expect(fingerprint(open.signer!)).not.toBe(fingerprint(key));
  });

  it('adds nothing corrupt to the cache and writes no records', async () => {
    const { bytes } = await sample();
    const corrupted = await altered(bytes, (files) => files.set(blobOf(files, 'runc'), Buffer.from('rung')));
    const downloader = await testDownloader();
    await expect(loadBundle(downloader.cache, await opened(corrupted), transferContext())).rejects.toMatchObject({
      code: 'BUNDLE_DAMAGED',
      message: expect.stringContaining('(runc 1.4.3 amd64): checksum is'),
    });
    countVerifiedBlobs(downloader);
    expect(await downloader.cache.find(createHash('sha256').update('rung').digest('hex'))).toBeUndefined();
    expect(await readChecksumRecord(downloader.cache.folder, 'https://github.com/runc')).toBeUndefined();
    expect(await findImage(downloader.cache, REF, ['amd64'])).toBeUndefined();
  });

  it('does not replace a checksum from the publisher', async () => {
    const { bytes, cache } = await sample();
    await writeChecksumRecord(cache.folder, 'https://github.com/runc', {
      sha256: 'b'.repeat(64),
      from: 'github.com',
      size: 1,
    });
    await expect(loadBundle(cache, await opened(bytes), transferContext())).rejects.toMatchObject({
      code: 'BUNDLE_CONTRADICTS',
    });
  });

  it('does not replace a digest from the publisher', async () => {
    const { bytes } = await sample();
    const { cache } = await testDownloader();
    const published = { ref: REF, digest: `sha256:${'b'.repeat(64)}`, from: 'registry.k8s.io', manifests: [] };
    await writeImageRecord(cache, published);
    await expect(loadBundle(cache, await opened(bytes), transferContext())).rejects.toMatchObject({
      code: 'BUNDLE_CONTRADICTS',
      message: expect.stringContaining(REF),
    });
    expect(await readImageRecord(cache, REF)).toEqual(published);
  });

  it('does not replace a package of the same version', async () => {
    const { bytes, bundle } = await sample();
    const { cache } = await testDownloader();
    const [system] = bundle.index.systems;
    const packages = system!.packages.map((one) => ({ ...one, sha256: 'b'.repeat(64) }));
    await writePackageRecord(cache, { ...system!, wanted: ['chrony', 'jq'], packages });
    await expect(loadBundle(cache, await opened(bytes), transferContext())).rejects.toMatchObject({
      code: 'BUNDLE_CONTRADICTS',
      report: { title: expect.stringContaining('chrony 4.3-2') },
    });
  });

  it('is rejected before a file with another size than in the index is written', async () => {
    const { bytes } = await sample();
    const huge = await altered(bytes, (files) => files.set(blobOf(files, 'runc'), Buffer.alloc(8 << 20)));
    const { cache } = await testDownloader();
    let written = 0;
    async function* watched() {
      for await (const chunk of inChunks(huge, 1 << 16)) {
        yield chunk;
        const names = await readdir(join(cache.folder, 'loading')).catch(() => []);
        for (const name of names) written = Math.max(written, statSync(join(cache.folder, 'loading', name)).size);
      }
    }
    const failure = loadBundle(cache, await openBundle('b.tar.gz', watched()), transferContext());
    await expect(failure).rejects.toMatchObject({
      code: 'BUNDLE_DAMAGED',
      message: expect.stringMatching(/\(runc 1\.4\.3 amd64\): size is 8388608 bytes, expected 4/),
    });
    expect(written).toBeLessThan(1 << 16);
  });

  it('is rejected if it has the same file twice', async () => {
    const { bytes } = await sample();
    const files: [string, Buffer][] = [];
    for await (const { path, content } of readTar(inChunks(bytes))) files.push([path, await bytesOf(content)]);
    const entries = [...files, files.at(-1)!].map(([path, content]): TarEntry => {
      return { type: 'text', path, text: content.toString(), mode: 0o644 };
    });
    const { cache } = await testDownloader();
    const doubled = await opened(await bytesOf(tarOf(entries)));
    await expect(loadBundle(cache, doubled, transferContext())).rejects.toThrow('not in the index, or a duplicate');
  });

  it('is not verified to the end if it unpacks to more than its index says', async () => {
    const { bytes } = await sample();
    const blob = (files: Map<string, Buffer>) => blobOf(files, 'runc');
    const bomb = await altered(bytes, (files) => files.set(blob(files), Buffer.alloc(8 << 20)));
    let read = 0;
    async function* counted() {
      for await (const chunk of inChunks(bomb, 1 << 16)) {
        read += chunk.length;
        yield chunk;
      }
    }
    await using bundle = await openBundle('b.tar.gz', counted());
    const problems = await contentProblems(bundle, () => {});
    expect(problems.at(-1)).toContain('larger than the index states');
    expect(read).toBeLessThan(1 << 20);
  });

  it('is rejected if it ends in endless padding', async () => {
    const { bytes } = await sample();
    async function* padded() {
      yield* inChunks(bytes);
      for (;;) yield Buffer.alloc(1 << 20);
    }
    const { cache } = await testDownloader();
    const failure = loadBundle(cache, await openBundle('b.tar.gz', padded()), transferContext());
    await expect(failure).rejects.toThrow('too much padding');
  });

  it('is detected wherever it is truncated and whichever byte is changed', { timeout: 120_000 }, async () => {
    const { bytes } = await sample();
    const read = async (changed: Buffer) => {
      const open = await opened(changed).catch(() => undefined);
      if (!open) return false;
      await using bundle: OpenBundle = open;
      return bundle.signer !== undefined && (await contentProblems(bundle, () => {})).length === 0;
    };
    expect(await read(bytes)).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1025), async (at) => !(await read(bytes.subarray(0, at)))),
      { numRuns: 100 },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1025), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = changed[at]! ^ change;
        if (!(await read(changed))) return true;
        // Unused bytes may differ, such as padding of a tar header, as long as the files are the same.
        return (await filesIn(changed)).join() === (await filesIn(bytes)).join();
      }),
      { numRuns: 200 },
    );
  });
});

describe('two bundles', () => {
  it('of two versions: the delta contains only new blobs, and both together are complete', async () => {
    const first = await sample();
    const delta = await sample({ base: first.bundle.index }, '1.36.3');
    const blobs = delta.bundle.index.content.filter(({ path }) => path.startsWith('blobs/'));
    expect(blobs).toHaveLength(1);
    expect(delta.bundle.index.elsewhere).toHaveLength(5);
    expect(delta.bundle.index.base?.index).toBe(sha256Hex(indexText(first.bundle.index)));
    const downloader = await testDownloader();
    await expect(loadBundle(downloader.cache, await opened(delta.bytes), transferContext())).rejects.toMatchObject({
      code: 'BUNDLE_BASE_MISSING',
    });
    await loadBundle(downloader.cache, await opened(first.bytes), transferContext());
    await loadBundle(downloader.cache, await opened(delta.bytes), transferContext());
    expect(countVerifiedBlobs(downloader)).toBe(7);
  });

  it('are compared by what was added, removed and changed', async () => {
    const [a, b] = [(await sample()).bundle.index, (await sample({}, '1.36.3')).bundle.index];
    const without = { ...b, images: [] };
    expect(diffBundles(a, a)).toEqual({ differences: [], delta: { files: 0, bytes: 0 } });
    expect(diffBundles(a, without).differences).toEqual([
      {
        change: 'changed',
        type: 'file',
        name: 'kubelet',
        arch: 'amd64',
        before: { version: '1.35.8', size: 14 },
        after: { version: '1.36.3', size: 14 },
      },
      {
        change: 'removed',
        type: 'image',
        name: 'registry.k8s.io/pause',
        arch: 'amd64',
        before: { version: '3.99', size: expect.any(Number) },
        after: undefined,
      },
    ]);
    expect(diffBundles(without, a).differences.map(({ change }) => change)).toEqual(['changed', 'added']);
    expect(diffBundles(a, b).delta).toEqual({ files: 1, bytes: 14 });
  });

  it('an index with a newer format is rejected', () => {
    expect(parseIndex('{"format":2}')).toEqual({ problem: expect.stringContaining('format') });
    expect(parseIndex('nonsense')).toEqual({ problem: 'it is not valid JSON' });
  });
});

it('reads a tar archive as it was written, in chunks of any size', async () => {
  const name = fc.stringMatching(/^[a-z]{1,20}(\/[a-z]{1,20}){0,3}$/);
  const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 3000 })), { selector: ([path]) => path });
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 1, max: 2000 }), fc.boolean(), async (given, size, skips) => {
      const entries = given.map(([path, content]): TarEntry => ({
        type: 'content',
        path,
        mode: 0o644,
        size: content.length,
        content: inChunks(Buffer.from(content)),
      }));
      const found: [string, string][] = [];
      for await (const file of readTar(inChunks(await bytesOf(tarOf(entries)), size)))
        found.push([file.path, skips ? '' : (await bytesOf(file.content)).toString('hex')]);
      expect(found).toEqual(given.map(([path, content]) => [path, skips ? '' : Buffer.from(content).toString('hex')]));
    }),
  );
});
