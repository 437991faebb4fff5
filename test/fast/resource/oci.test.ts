import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ImageItem } from '../../../src/resource/item.ts';
import { findImage, writeImageRecord } from '../../../src/resource/oci/image-store.ts';
import { writeLayout } from '../../../src/resource/oci/layout.ts';
import { pullImage } from '../../../src/resource/oci/pull.ts';
import { pushImage } from '../../../src/resource/oci/push.ts';
import { imageSources, parseReference, referenceText } from '../../../src/resource/oci/reference.ts';
import { openRegistries } from '../../../src/resource/oci/registry.ts';
import type { RegistryCredentials } from '../../../src/resource/oci/authenticate.ts';
import { Secret } from '../../../src/common/secret.ts';
import { certificate, testDownloader, folder, countVerifiedBlobs, transferContext } from './support/downloader.ts';
import { putImage, testRegistry } from './support/registry.ts';
import { sha256Of } from './support/server.ts';

const PLAIN: RegistryCredentials = { plainHTTP: true };

const imageItem = (ref: string, more: Partial<ImageItem> = {}): ImageItem => ({
  type: 'image',
  name: 'pause',
  version: '1.0',
  arches: ['amd64'],
  ref,
  sha256: undefined,
  roles: ['worker'],
  ...more,
});

async function puller(
  credentials: Readonly<Record<string, RegistryCredentials>>,
  artifacts: Parameters<typeof testDownloader>[0] = {},
  options: Parameters<typeof testDownloader>[1] = {},
) {
  const downloader = await testDownloader(artifacts, options);
  const registries = openRegistries(credentials, { connectTimeoutMs: 1000 });
  onTestFinished(() => registries[Symbol.asyncDispose]());
  return { downloader, registries };
}

describe('image references', () => {
  it.each([
    ['busybox', 'docker.io/library/busybox:latest'],
    ['busybox:1.37', 'docker.io/library/busybox:1.37'],
    ['kubeovn/kube-ovn:v1.15.0', 'docker.io/kubeovn/kube-ovn:v1.15.0'],
    ['registry.k8s.io/coredns/coredns:v1.13.1', 'registry.k8s.io/coredns/coredns:v1.13.1'],
    ['10.0.0.1:5000/pause', '10.0.0.1:5000/pause:latest'],
    ['localhost/a/b:c', 'localhost/a/b:c'],
    [`quay.io/a/b@sha256:${'a'.repeat(64)}`, `quay.io/a/b:latest@sha256:${'a'.repeat(64)}`],
    ['[::1]:5000/a:1', '[::1]:5000/a:1'],
  ])('%s is %s', (text, full) => expect(referenceText(parseReference(text))).toBe(full));

  it('try mirrors before the publisher', () => {
    const sources = imageSources(parseReference('registry.k8s.io/pause:3.10'), {
      imageMirror: 'm.example.com/p',
      zone: 'cn',
    });
    expect(sources.map(({ registry, repository }) => `${registry}/${repository}`)).toEqual([
      'm.example.com/p/registry.k8s.io/pause',
      'k8s.m.daocloud.io/pause',
      'm.daocloud.io/registry.k8s.io/pause',
      'registry.k8s.io/pause',
    ]);
  });
});

describe('pull', () => {
  it('pulls the blobs of the requested platforms once', async () => {
    const registry = await testRegistry();
    const digest = putImage(registry, 'team/app', '1.0', ['amd64', 'arm64', 's390x']);
    const pull = await puller({ [registry.host]: PLAIN });
    const image = imageItem(`${registry.host}/team/app:1.0`, { arches: ['amd64', 'arm64'] });
    const stored = await pullImage(pull, image, transferContext());
    expect(stored).toMatchObject({ digest, from: registry.host, manifests: [{ arch: 'amd64' }, { arch: 'arm64' }] });
    // An index, two manifests, two configs, two layers and a shared one.
    expect(countVerifiedBlobs(pull.downloader)).toBe(8);
    const before = registry.requests.length;
    await pullImage(pull, image, transferContext());
    expect(registry.requests).toHaveLength(before);
  });

  it('pulls an image without an index, and checks its architecture', async () => {
    const registry = await testRegistry();
    putImage(registry, 'app', '1', ['arm64']);
    const pull = await puller({ [registry.host]: PLAIN });
    await pullImage(pull, imageItem(`${registry.host}/app:1`, { arches: ['arm64'] }), transferContext());
    const wrong = pullImage(pull, imageItem(`${registry.host}/app:1`), transferContext());
    await expect(wrong).rejects.toMatchObject({ code: 'IMAGE_PLATFORM_MISSING' });
  });

  it('retries while the registry is busy', async () => {
    const registry = await testRegistry();
    putImage(registry, 'app', '1', ['amd64']);
    registry.busy.push('GET', 'GET', 'GET');
    const pull = await puller({ [registry.host]: PLAIN });
    await pullImage(pull, imageItem(`${registry.host}/app:1`), transferContext());
    expect(countVerifiedBlobs(pull.downloader)).toBe(4);
  });

  it('lists the published platforms when one is missing', async () => {
    const registry = await testRegistry();
    putImage(registry, 'app', '1', ['s390x', 'amd64']);
    const pull = await puller({ [registry.host]: PLAIN });
    const failure = pullImage(pull, imageItem(`${registry.host}/app:1`, { arches: ['arm64'] }), transferContext());
    await expect(failure).rejects.toThrow('Available architectures: s390x, amd64');
  });

  it.each([
    ['an anonymous token', { type: 'bearer' as const }, PLAIN],
    [
      'a token that requires a password',
      { type: 'bearer' as const, user: 'u', password: 'p4ss' },
      { ...PLAIN, username: 'u', password: new Secret('p4ss') },
    ],
    [
      'basic authentication',
      { type: 'basic' as const, user: 'u', password: 'p4ss' },
      { ...PLAIN, username: 'u', password: new Secret('p4ss') },
    ],
  ])('authenticates with %s', async (_, auth, credentials) => {
    const registry = await testRegistry({ auth });
    putImage(registry, 'app', '1', ['amd64']);
    const pull = await puller({ [registry.host]: credentials });
    await pullImage(pull, imageItem(`${registry.host}/app:1`), transferContext());
    expect(countVerifiedBlobs(pull.downloader)).toBe(4);
    expect(registry.requests.filter((line) => line.includes('/token')).length).toBeLessThanOrEqual(1);
  });

  it('reports missing credentials', async () => {
    const registry = await testRegistry({ auth: { type: 'basic', user: 'u', password: 'p' } });
    const pull = await puller({ [registry.host]: PLAIN });
    const failure = pullImage(pull, imageItem(`${registry.host}/app:1`), transferContext());
    await expect(failure).rejects.toThrow(/requires a login/);
  });

  it.each([
    ['its CA', (cert: string): RegistryCredentials => ({ ca: cert })],
    ['verification disabled', (): RegistryCredentials => ({ skipTLSVerify: true })],
  ])('accepts a TLS certificate with %s', async (_, credentialsFor) => {
    const tls = certificate();
    const registry = await testRegistry({ tls });
    putImage(registry, 'app', '1', ['amd64']);
    const image = imageItem(`${registry.host}/app:1`);
    await pullImage(await puller({ [registry.host]: credentialsFor(tls.cert) }), image, transferContext());
    await expect(pullImage(await puller({}), image, transferContext())).rejects.toThrow(/self-signed|certificate/);
  });

  it('pulls blobs from the mirror but resolves the tag at the publisher', async () => {
    const [mirror, publisher] = [await testRegistry(), await testRegistry()];
    putImage(publisher, 'app', '1', ['amd64']);
    putImage(mirror, `m/${publisher.host}/app`, '1', ['amd64'], 'app');
    const pull = await puller({ [mirror.host]: PLAIN, [publisher.host]: PLAIN }, { imageMirror: `${mirror.host}/m` });
    const { from } = await pullImage(pull, imageItem(`${publisher.host}/app:1`), transferContext());
    expect(from).toBe(publisher.host);
    expect(publisher.requests).toEqual(['GET /v2/app/manifests/1']);
  });

  it('skips a mirror that serves corrupt blobs', async () => {
    const [mirror, publisher] = [await testRegistry(), await testRegistry()];
    putImage(publisher, 'app', '1', ['amd64']);
    putImage(mirror, `${publisher.host}/app`, '1', ['amd64'], 'app');
    for (const name of mirror.blobs.keys()) mirror.corrupted.add(name.split(' ')[1]!);
    const pull = await puller({ [mirror.host]: PLAIN, [publisher.host]: PLAIN }, { imageMirror: mirror.host });
    const image = imageItem(`${publisher.host}/app:1`);
    await pullImage(pull, image, transferContext());
    const requested = (kind: string) => publisher.requests.filter((line) => line.includes(`/${kind}/`)).length;
    expect([requested('manifests'), requested('blobs')]).toEqual([1, 3]);
    const found = await findImage(pull.downloader.cache, image.ref, image.arches);
    for (const { path, sha256 } of found!.blobs) expect(sha256Of(readFileSync(path))).toBe(sha256);
    expect(found!.blobs).toHaveLength(4);
    expect(countVerifiedBlobs(pull.downloader)).toBe(4);
  });

  describe('from a mirror while the publisher is unavailable', () => {
    const PUBLISHER = '127.0.0.1:1';
    const image = imageItem(`${PUBLISHER}/app:1`);
    const mirrored = async (artifacts: Parameters<typeof testDownloader>[0] = {}, cacheFolder = folder()) => {
      const mirror = await testRegistry();
      const digest = putImage(mirror, `${PUBLISHER}/app`, '1', ['amd64']);
      const pull = await puller(
        { [mirror.host]: PLAIN, [PUBLISHER]: PLAIN },
        { imageMirror: mirror.host, ...artifacts },
        { cacheFolder },
      );
      return { mirror, digest, pull };
    };
    const checksumFile = (text: string) => {
      const checksums = join(folder(), 'checksums.txt');
      writeFileSync(checksums, text);
      return checksums;
    };

    it('refuses a tag that only the mirror resolves, and asks the mirror for nothing', async () => {
      const { mirror, pull } = await mirrored();
      await expect(pullImage(pull, image, transferContext())).rejects.toMatchObject({
        code: 'DIGEST_UNKNOWN',
        report: { hint: expect.stringContaining('artifacts.overrides.pause.sha256') },
      });
      expect(mirror.requests).toEqual([]);
      expect([...pull.registries.unresponsive]).toEqual([PUBLISHER]);
    });

    it('accepts an image whose digest is in the checksum file', async () => {
      const { digest } = await mirrored();
      const checksums = checksumFile(`${digest.slice(7)}  ${PUBLISHER}/app:1\n`);
      const { pull } = await mirrored({ checksums });
      expect(await pullImage(pull, image, transferContext())).toMatchObject({ digest });
    });

    it('refuses another image than the one in the checksum file', async () => {
      const checksums = checksumFile(`${'b'.repeat(64)}  ${PUBLISHER}/app:1\n`);
      const { pull } = await mirrored({ checksums });
      await expect(pullImage(pull, image, transferContext())).rejects.toMatchObject({ code: 'ARTIFACT_UNAVAILABLE' });
      expect(await findImage(pull.downloader.cache, image.ref, image.arches)).toBeUndefined();
    });

    it('lets a mirror that the cluster file trusts resolve the tag, reports it, and for that cluster only', async () => {
      const { mirror, digest, pull } = await mirrored({ trustMirror: true });
      const lines: string[] = [];
      expect(await pullImage(pull, image, transferContext(lines))).toMatchObject({
        digest,
        from: `mirror ${mirror.host}`,
      });
      expect(lines.join('\n')).toContain('the publisher is unavailable');
      const other = await mirrored({}, pull.downloader.cache.folder);
      await expect(pullImage(other.pull, image, transferContext())).rejects.toMatchObject({ code: 'DIGEST_UNKNOWN' });
      const again = await mirrored({ trustMirror: true }, pull.downloader.cache.folder);
      await pullImage(again.pull, image, transferContext());
      expect(again.mirror.requests).toEqual([]);
    });
  });

  it('keeps using an image that an earlier version pulled from a mirror', async () => {
    const registry = await testRegistry();
    putImage(registry, 'app', '1', ['amd64']);
    const pull = await puller({ [registry.host]: PLAIN });
    const image = imageItem(`${registry.host}/app:1`);
    const stored = await pullImage(pull, image, transferContext());
    await writeImageRecord(pull.downloader.cache, { ...stored, from: 'mirror.example.com' });
    const requests = registry.requests.length;
    expect(await pullImage(pull, image, transferContext())).toMatchObject({ digest: stored.digest });
    expect(registry.requests).toHaveLength(requests);
  });

  it('refuses another image under a name whose digest kubexm knows, even from a trusted mirror', async () => {
    const mirror = await testRegistry();
    putImage(mirror, 'registry.k8s.io/pause', '3.10.1', ['amd64']);
    const pull = await puller(
      { [mirror.host]: PLAIN, 'registry.k8s.io': { address: '127.0.0.1' } },
      {
        imageMirror: mirror.host,
        trustMirror: true,
      },
    );
    const failure = pullImage(pull, imageItem('registry.k8s.io/pause:3.10.1'), transferContext());
    await expect(failure).rejects.toMatchObject({ code: 'ARTIFACT_UNAVAILABLE' });
    expect(mirror.requests.some((line) => line.includes('/manifests/sha256:278fb9db'))).toBe(true);
  });

  it('asks the publisher again if only the cluster file of another cluster set the digest', async () => {
    const registry = await testRegistry();
    const pinned = putImage(registry, 'app', '1', ['amd64'], 'pinned');
    const published = putImage(registry, 'app', '1', ['amd64'], 'published');
    const pull = await puller({ [registry.host]: PLAIN });
    const image = imageItem(`${registry.host}/app:1`);
    const first = await pullImage(pull, { ...image, sha256: pinned.slice(7) }, transferContext());
    const second = await pullImage(pull, image, transferContext());
    expect([first.digest, second.digest]).toEqual([pinned, published]);
    expect(second.from).toBe(registry.host);
  });

  it('accepts only the digest set in the cluster file', async () => {
    const registry = await testRegistry();
    const digest = putImage(registry, 'app', '1', ['amd64']);
    const pull = await puller({ [registry.host]: PLAIN });
    const ref = `${registry.host}/app:1`;
    await pullImage(pull, imageItem(ref, { sha256: digest.slice(7) }), transferContext());
    const other = pullImage(pull, imageItem(ref, { sha256: 'b'.repeat(64) }), transferContext());
    await expect(other).rejects.toMatchObject({ code: 'ARTIFACT_UNAVAILABLE' });
  });

  it('fails offline with the name of the image', async () => {
    const pull = await puller({}, {}, { offline: true });
    await expect(pullImage(pull, imageItem('registry.k8s.io/pause:3.10'), transferContext())).rejects.toMatchObject({
      code: 'OFFLINE_MISSING',
      report: { title: expect.stringContaining('registry.k8s.io/pause:3.10') },
    });
  });
});

describe('layout', () => {
  it('contains every blob under its digest', async () => {
    const registry = await testRegistry();
    putImage(registry, 'a', '1', ['amd64', 'arm64']);
    putImage(registry, 'b', '1', ['amd64']);
    const pull = await puller({ [registry.host]: PLAIN });
    const images = [
      imageItem(`${registry.host}/a:1`, { arches: ['amd64', 'arm64'] }),
      imageItem(`${registry.host}/b:1`),
    ];
    for (const image of images) await pullImage(pull, image, transferContext());
    const path = folder();
    await writeLayout(pull.downloader.cache, images, path);
    const { manifests } = JSON.parse(readFileSync(join(path, 'index.json'), 'utf8'));
    expect(manifests).toHaveLength(2);
    for (const { digest, annotations } of manifests) {
      const blob = readFileSync(join(path, 'blobs/sha256', digest.slice(7)));
      expect(sha256Of(blob)).toBe(digest.slice(7));
      expect(annotations['io.containerd.image.name']).toMatch(registry.host);
    }
    expect(existsSync(join(path, 'oci-layout'))).toBe(true);
  });
});

describe('push', () => {
  /** A cached image, and a registry to push it to. */
  const pulled = async (options: Parameters<typeof testRegistry>[0] = {}, credentials: RegistryCredentials = PLAIN) => {
    const [source, target] = [await testRegistry(), await testRegistry(options)];
    putImage(source, 'app', '1', ['amd64', 'arm64', 's390x']);
    const { downloader, registries } = await puller({ [source.host]: PLAIN, [target.host]: credentials });
    const image = imageItem(`${source.host}/app:1`, { arches: ['amd64', 'arm64'] });
    await pullImage({ downloader, registries }, image, transferContext());
    return {
      source,
      target,
      downloader,
      image,
      pusher: { cache: downloader.cache, registries, knownBlobs: new Map<string, string>() },
    };
  };

  it('pushes all platforms under another name', async () => {
    const { target, image, pusher } = await pulled();
    await pushImage(pusher, image, `${target.host}/mine/app:1`, transferContext());
    const fresh = await puller({ [target.host]: PLAIN });
    const again = imageItem(`${target.host}/mine/app:1`, { arches: ['amd64', 'arm64'] });
    expect((await pullImage(fresh, again, transferContext())).manifests).toHaveLength(2);
  });

  it('does not send blobs that the registry has, in this or another repository', async () => {
    const { target, image, pusher } = await pulled();
    const sent = () => target.requests.filter((line) => line.startsWith('PUT') && line.includes('/blobs/')).length;
    await pushImage(pusher, image, `${target.host}/one:1`, transferContext());
    expect(sent()).toBe(5);
    await pushImage(pusher, image, `${target.host}/one:1`, transferContext());
    await pushImage(pusher, image, `${target.host}/two:1`, transferContext());
    expect(sent()).toBe(5);
    expect(target.requests.filter((line) => line.includes('mount=')).length).toBe(5);
  });

  it('uploads in chunks when a proxy rejects large bodies', async () => {
    const { target, image, pusher } = await pulled({ maxBody: 29_000 });
    await pushImage({ ...pusher, chunkBytes: 10_000 }, image, `${target.host}/app:1`, transferContext());
    expect(target.requests.filter((line) => line.startsWith('PATCH')).length).toBe(3 + 3 + 5);
  });

  it('retries while the registry is busy', async () => {
    const { target, image, pusher } = await pulled();
    target.busy.push('POST', 'PUT', 'PUT');
    await pushImage(pusher, image, `${target.host}/app:1`, transferContext());
    expect(target.manifests.has('app 1')).toBe(true);
  });

  it('logs in', async () => {
    const password = new Secret('p4ss');
    const { target, image, pusher } = await pulled(
      { auth: { type: 'bearer', user: 'u', password: 'p4ss' } },
      { ...PLAIN, username: 'u', password },
    );
    await pushImage(pusher, image, `${target.host}/app:1`, transferContext());
    expect(target.manifests.has('app 1')).toBe(true);
  });
});
