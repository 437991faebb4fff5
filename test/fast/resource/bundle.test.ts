import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexText, parseIndex, sumOfText, type BundleIndex } from '../../../src/resource/bundle/bundle-index.ts';
import { composeBundle, type BundleFor, type BundleParts } from '../../../src/resource/bundle/compose.ts';
import { diffBundles } from '../../../src/resource/bundle/diff.ts';
import { loadBundle } from '../../../src/resource/bundle/load.ts';
import { openBundle, type OpenBundle } from '../../../src/resource/bundle/open.ts';
import { fingerprint, signText } from '../../../src/resource/bundle/sign.ts';
import { recallPackages, storePackages } from '../../../src/resource/bundle/system-packages.ts';
import { contentProblems } from '../../../src/resource/bundle/verify.ts';
import { bundleTar } from '../../../src/resource/bundle/write.ts';
import { memorise, recall } from '../../../src/resource/cache/checksum-record.ts';
import { findImage, storeImage, storeText } from '../../../src/resource/oci/image-store.ts';
import { readTar } from '../../../src/util/read-tar.ts';
import { tarOf, type TarEntry } from '../../../src/util/tar.ts';
import { depotFor, fileItem, provenBlobs, watch } from './support/downloader.ts';
import { sumOf } from './support/server.ts';

const ABOUT: BundleFor = { cluster: 'prod', kubernetes: '1.35.8', arches: ['amd64'], notes: [], base: undefined };
const { privateKey: key } = generateKeyPairSync('ed25519');
const REF = 'registry.k8s.io/pause:3.10.1';

/** A cache with two files, an image and a package, and the bundle of it. */
async function sample(more: Partial<BundleFor> = {}, version = '1.35.8') {
  const depot = await depotFor();
  const { cache } = depot;
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
  await storeImage(cache, {
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
  const bundle = composeBundle({ ...ABOUT, ...more }, parts);
  return { depot, cache, parts, bundle, bytes: await bytesOf(bundleTar(cache, bundle, key, () => {})) };
}

async function bytesOf(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of source) all.push(chunk);
  return Buffer.concat(all);
}

async function* inPieces(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const opened = (bytes: Buffer, size?: number) => openBundle('b.tar.gz', inPieces(bytes, size));
const problemsOf = async (bytes: Buffer) => {
  await using bundle = await opened(bytes);
  return { signed: bundle.signer !== undefined, problems: await contentProblems(bundle, () => {}) };
};

async function filesIn(bytes: Buffer): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const { path, content } of readTar(inPieces(bytes))) all.push(`${path} ${sumOf(await bytesOf(content))}`);
  return all;
}

/** The files of a tar changed, and put together again. */
async function altered(bytes: Buffer, change: (files: Map<string, Buffer>) => void): Promise<Buffer> {
  const files = new Map<string, Buffer>();
  for await (const { path, content } of readTar(inPieces(bytes))) files.set(path, await bytesOf(content));
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
  it('is what was put into it, and says so', async () => {
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
    ).toEqual(['kubelet/amd64 1.35.8', 'runc/amd64 1.4.3', 'registry.k8s.io/pause 3.10.1', 'debian-12/chrony 4.3-2']);
    expect(packages.at(-1).externalRefs[0].referenceLocator).toBe(
      'pkg:deb/debian/chrony@4.3-2?arch=amd64&distro=debian-12',
    );
  });

  it('is the same whatever the order of its parts', async () => {
    const { cache, parts, bytes } = await sample();
    const turned = { ...parts, files: parts.files.toReversed() };
    expect((await bytesOf(bundleTar(cache, composeBundle(ABOUT, turned), key, () => {}))).equals(bytes)).toBe(true);
  });

  it('goes whole into an empty cache, and a second time nowhere', async () => {
    const { bytes } = await sample();
    const depot = await depotFor();
    for (const _ of [1, 2]) await loadBundle(depot.cache, await opened(bytes), watch());
    expect(provenBlobs(depot)).toBe(6);
    expect(await recall(depot.cache.folder, 'https://github.com/runc')).toMatchObject({ from: 'the bundle of prod' });
    expect(await findImage(depot.cache, REF, ['amd64'])).toBeDefined();
    const need = { id: 'debian-12', arch: 'amd64' as const };
    expect((await recallPackages(depot.cache, { ...need, wanted: ['chrony'] }))?.packages).toHaveLength(1);
    expect(await recallPackages(depot.cache, { ...need, wanted: ['chrony', 'socat'] })).toBeUndefined();
  });
});

it('packages of two bundles stand beside each other, and hosts get those that bring what they want', async () => {
  const { cache } = await depotFor();
  const packageOf = (name: string, version: string) => ({
    name,
    version,
    file: `${name}_${version}_amd64.deb`,
    sha256: sumOf(`${name} ${version}`),
    size: 1,
  });
  const system = (...names: readonly string[]) => ({ id: 'debian-12', arch: 'amd64' as const, wanted: [...names] });
  const recalled = async (...names: readonly string[]) =>
    (await recallPackages(cache, system(...names)))?.packages.map(({ file }) => file);
  await storePackages(cache, { ...system('chrony', 'jq'), packages: [packageOf('chrony', '1'), packageOf('jq', '1')] });
  await storePackages(cache, { ...system('socat'), packages: [packageOf('socat', '1')] });
  expect(await recalled('chrony')).toEqual(['chrony_1_amd64.deb', 'jq_1_amd64.deb']);
  expect(await recalled('socat')).toEqual(['socat_1_amd64.deb']);
  expect(await recalled('socat', 'jq')).toBeUndefined();
  await storePackages(cache, { ...system('socat'), packages: [packageOf('socat', '2')] });
  expect(await recalled('socat')).toEqual(['socat_2_amd64.deb']);
});

it('the word of one cluster file is not remembered for others', async () => {
  const { cache, parts } = await sample();
  const own = parts.files.map((file) => ({ ...file, own: true }));
  const bundle = composeBundle(ABOUT, { ...parts, files: own });
  const depot = await depotFor();
  await loadBundle(depot.cache, await opened(await bytesOf(bundleTar(cache, bundle, key, () => {}))), watch());
  expect(provenBlobs(depot)).toBe(6);
  expect(await recall(depot.cache.folder, 'https://github.com/runc')).toBeUndefined();
});

describe('a bundle that somebody changed', () => {
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
      'content',
      (files) => files.set(blobOf(files, 'runc'), Buffer.from('rung')),
      true,
      /\(runc 1\.4\.3 amd64\): its sum is/,
    ],
    [
      'length',
      (files) => files.set(blobOf(files, 'runc'), Buffer.from('runcible')),
      true,
      /it has 8 bytes, and should have 4/,
    ],
    [
      'a missing file',
      (files) => files.delete(blobOf(files, 'layer')),
      true,
      /\(registry\.k8s\.io\/pause:3\.10\.1\): it is missing/,
    ],
    [
      'a file too many',
      (files) => files.set('blobs/sha256/0', Buffer.from('x')),
      true,
      'blobs/sha256/0: the index does not know it, or has seen it before',
    ],
    [
      'another bill of materials',
      (files) => files.set('sbom.spdx.json', Buffer.from('{}')),
      true,
      /its bill of materials/,
    ],
    ['an index without a file', edit((index) => index.content.pop()), false, /the index has no file for it/],
    [
      'an index with another sum',
      edit((index) => (index.content[1]!.sha256 = 'a'.repeat(64))),
      false,
      /it is missing|its sum is/,
    ],
  ])('shows it: %s', async (_, change, signed, problem) => {
    const { bytes } = await sample();
    const found = await problemsOf(await altered(bytes, change));
    expect(found.signed).toBe(signed);
    expect(found.problems.join('\n')).toMatch(problem);
  });

  it('is signed by another, when the index is', async () => {
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

  it('leaves nothing wrong in the cache, and says nothing about what it did not bring', async () => {
    const { bytes } = await sample();
    const spoiled = await altered(bytes, (files) => files.set(blobOf(files, 'runc'), Buffer.from('rung')));
    const depot = await depotFor();
    await expect(loadBundle(depot.cache, await opened(spoiled), watch())).rejects.toMatchObject({
      code: 'BUNDLE_DAMAGED',
    });
    provenBlobs(depot);
    expect(await recall(depot.cache.folder, 'https://github.com/runc')).toBeUndefined();
    expect(await findImage(depot.cache, REF, ['amd64'])).toBeUndefined();
  });

  it('does not replace what a publisher said', async () => {
    const { bytes, cache } = await sample();
    await memorise(cache.folder, 'https://github.com/runc', { sha256: 'b'.repeat(64), from: 'github.com', size: 1 });
    await expect(loadBundle(cache, await opened(bytes), watch())).rejects.toMatchObject({ code: 'BUNDLE_CONTRADICTS' });
  });

  it(
    'is never taken for whole, wherever it is cut off or whichever byte is another',
    { timeout: 120_000 },
    async () => {
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
          // What says nothing may differ, such as the end of the sum of a header: the files are the same.
          return (await filesIn(changed)).join() === (await filesIn(bytes)).join();
        }),
        { numRuns: 200 },
      );
    },
  );
});

describe('two bundles', () => {
  it('of two versions: the second without what the first has is small, and both together are whole', async () => {
    const first = await sample();
    const delta = await sample({ base: first.bundle.index }, '1.36.3');
    const blobs = delta.bundle.index.content.filter(({ path }) => path.startsWith('blobs/'));
    expect(blobs).toHaveLength(1);
    expect(delta.bundle.index.elsewhere).toHaveLength(5);
    expect(delta.bundle.index.base?.index).toBe(sumOfText(indexText(first.bundle.index)));
    const depot = await depotFor();
    await expect(loadBundle(depot.cache, await opened(delta.bytes), watch())).rejects.toMatchObject({
      code: 'BUNDLE_BASE_MISSING',
    });
    await loadBundle(depot.cache, await opened(first.bytes), watch());
    await loadBundle(depot.cache, await opened(delta.bytes), watch());
    expect(provenBlobs(depot)).toBe(7);
  });

  it('differ in what was added, removed and changed', async () => {
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
        before: { version: '3.10.1', size: expect.any(Number) },
        after: undefined,
      },
    ]);
    expect(diffBundles(without, a).differences.map(({ change }) => change)).toEqual(['changed', 'added']);
    expect(diffBundles(a, b).delta).toEqual({ files: 1, bytes: 14 });
  });

  it('an index of a later format is not misread', () => {
    expect(parseIndex('{"format":2}')).toEqual({ problem: expect.stringContaining('format') });
    expect(parseIndex('nonsense')).toEqual({ problem: 'it is no JSON' });
  });
});

it('a tar is read as it was written, in pieces of any size', async () => {
  const name = fc.stringMatching(/^[a-z]{1,20}(\/[a-z]{1,20}){0,3}$/);
  const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 3000 })), { selector: ([path]) => path });
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 1, max: 2000 }), fc.boolean(), async (given, size, skips) => {
      const entries = given.map(([path, content]): TarEntry => ({
        type: 'content',
        path,
        mode: 0o644,
        size: content.length,
        content: inPieces(Buffer.from(content)),
      }));
      const found: [string, string][] = [];
      for await (const file of readTar(inPieces(await bytesOf(tarOf(entries)), size)))
        found.push([file.path, skips ? '' : (await bytesOf(file.content)).toString('hex')]);
      expect(found).toEqual(given.map(([path, content]) => [path, skips ? '' : Buffer.from(content).toString('hex')]));
    }),
  );
});
