import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ImageItem } from '../../../src/resource/item.ts';
import { writeLayout } from '../../../src/resource/oci/layout.ts';
import { pullImage } from '../../../src/resource/oci/pull.ts';
import { pushImage } from '../../../src/resource/oci/push.ts';
import { imageSources, parseReference, referenceText } from '../../../src/resource/oci/reference.ts';
import { openRegistries, type RegistryCredentials } from '../../../src/resource/oci/registry.ts';
import { Secret } from '../../../src/common/secret.ts';
import { certificate, depotFor, folder, provenBlobs, watch } from './support/downloader.ts';
import { putImage, testRegistry } from './support/registry.ts';
import { sumOf } from './support/server.ts';

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
  artifacts: Parameters<typeof depotFor>[0] = {},
  options: Parameters<typeof depotFor>[1] = {},
) {
  const depot = await depotFor(artifacts, options);
  const registries = openRegistries(credentials, { connectMs: 1000 });
  onTestFinished(() => registries[Symbol.asyncDispose]());
  return { depot, registries };
}

describe('names', () => {
  it.each([
    ['busybox', 'docker.io/library/busybox:latest'],
    ['busybox:1.37', 'docker.io/library/busybox:1.37'],
    ['kubeovn/kube-ovn:v1.15.0', 'docker.io/kubeovn/kube-ovn:v1.15.0'],
    ['registry.k8s.io/coredns/coredns:v1.13.1', 'registry.k8s.io/coredns/coredns:v1.13.1'],
    ['10.0.0.1:5000/pause', '10.0.0.1:5000/pause:latest'],
    ['localhost/a/b:c', 'localhost/a/b:c'],
    [`quay.io/a/b@sha256:${'a'.repeat(64)}`, `quay.io/a/b:latest@sha256:${'a'.repeat(64)}`],
    ['[::1]:5000/a:1', '[::1]:5000/a:1'],
  ])('%s is %s', (text, whole) => expect(referenceText(parseReference(text))).toBe(whole));

  it('lead to mirrors first', () => {
    const places = imageSources(parseReference('registry.k8s.io/pause:3.10'), {
      imageMirror: 'm.example.com/p',
      zone: 'cn',
    });
    expect(places.map(({ registry, repository }) => `${registry}/${repository}`)).toEqual([
      'm.example.com/p/registry.k8s.io/pause',
      'k8s.m.daocloud.io/pause',
      'm.daocloud.io/registry.k8s.io/pause',
      'registry.k8s.io/pause',
    ]);
  });
});

describe('pull', () => {
  it('brings what the given platforms need, and never asks again', async () => {
    const registry = await testRegistry();
    const digest = putImage(registry, 'team/app', '1.0', ['amd64', 'arm64', 's390x']);
    const pull = await puller({ [registry.host]: PLAIN });
    const image = imageItem(`${registry.host}/team/app:1.0`, { arches: ['amd64', 'arm64'] });
    const stored = await pullImage(pull, image, watch());
    expect(stored).toMatchObject({ digest, from: registry.host, manifests: [{ arch: 'amd64' }, { arch: 'arm64' }] });
    // An index, two manifests, two configs, two layers and a shared one.
    expect(provenBlobs(pull.depot)).toBe(8);
    const before = registry.requests.length;
    await pullImage(pull, image, watch());
    expect(registry.requests).toHaveLength(before);
  });

  it('of one architecture from a name that has only one', async () => {
    const registry = await testRegistry();
    putImage(registry, 'app', '1', ['arm64']);
    const pull = await puller({ [registry.host]: PLAIN });
    await pullImage(pull, imageItem(`${registry.host}/app:1`, { arches: ['arm64'] }), watch());
    const wrong = pullImage(pull, imageItem(`${registry.host}/app:1`), watch());
    await expect(wrong).rejects.toMatchObject({ code: 'IMAGE_PLATFORM_MISSING' });
  });

  it('tries again when the registry is busy', async () => {
    const registry = await testRegistry();
    putImage(registry, 'app', '1', ['amd64']);
    registry.busy.push('GET', 'GET', 'GET');
    const pull = await puller({ [registry.host]: PLAIN });
    await pullImage(pull, imageItem(`${registry.host}/app:1`), watch());
    expect(provenBlobs(pull.depot)).toBe(4);
  });

  it('says which platforms there are when one is missing', async () => {
    const registry = await testRegistry();
    putImage(registry, 'app', '1', ['s390x', 'amd64']);
    const pull = await puller({ [registry.host]: PLAIN });
    const failure = pullImage(pull, imageItem(`${registry.host}/app:1`, { arches: ['arm64'] }), watch());
    await expect(failure).rejects.toThrow('It is published for: s390x, amd64');
  });

  it.each([
    ['a token', { type: 'bearer' as const }, PLAIN],
    [
      'a token for a password',
      { type: 'bearer' as const, user: 'u', password: 'p4ss' },
      { ...PLAIN, username: 'u', password: new Secret('p4ss') },
    ],
    [
      'name and password',
      { type: 'basic' as const, user: 'u', password: 'p4ss' },
      { ...PLAIN, username: 'u', password: new Secret('p4ss') },
    ],
  ])('answers with %s where that is asked for', async (_, auth, access) => {
    const registry = await testRegistry({ auth });
    putImage(registry, 'app', '1', ['amd64']);
    const pull = await puller({ [registry.host]: access });
    await pullImage(pull, imageItem(`${registry.host}/app:1`), watch());
    expect(provenBlobs(pull.depot)).toBe(4);
    expect(registry.requests.filter((line) => line.includes('/token')).length).toBeLessThanOrEqual(1);
  });

  it('tells that a login is missing', async () => {
    const registry = await testRegistry({ auth: { type: 'basic', user: 'u', password: 'p' } });
    const pull = await puller({ [registry.host]: PLAIN });
    const failure = pullImage(pull, imageItem(`${registry.host}/app:1`), watch());
    await expect(failure).rejects.toThrow(/asks for a login/);
  });

  it.each([
    ['its CA', (cert: string): RegistryCredentials => ({ ca: cert })],
    ['no check', (): RegistryCredentials => ({ skipTLSVerify: true })],
  ])('trusts TLS by %s', async (_, access) => {
    const tls = certificate();
    const registry = await testRegistry({ tls });
    putImage(registry, 'app', '1', ['amd64']);
    const image = imageItem(`${registry.host}/app:1`);
    await pullImage(await puller({ [registry.host]: access(tls.cert) }), image, watch());
    await expect(pullImage(await puller({}), image, watch())).rejects.toThrow(/self-signed|certificate/);
  });

  it('takes blobs from the mirror, and what the tag stands for from the publisher', async () => {
    const [mirror, publisher] = [await testRegistry(), await testRegistry()];
    putImage(publisher, 'app', '1', ['amd64']);
    putImage(mirror, `m/${publisher.host}/app`, '1', ['amd64'], 'app');
    const pull = await puller({ [mirror.host]: PLAIN, [publisher.host]: PLAIN }, { imageMirror: `${mirror.host}/m` });
    const { from } = await pullImage(pull, imageItem(`${publisher.host}/app:1`), watch());
    expect(from).toBe(publisher.host);
    expect(publisher.requests).toEqual(['GET /v2/app/manifests/1']);
  });

  it('leaves a mirror that serves something else', async () => {
    const [mirror, publisher] = [await testRegistry(), await testRegistry()];
    putImage(publisher, 'app', '1', ['amd64']);
    putImage(mirror, `${publisher.host}/app`, '1', ['amd64'], 'app');
    for (const name of mirror.blobs.keys()) mirror.spoiled.add(name.split(' ')[1]!);
    const pull = await puller({ [mirror.host]: PLAIN, [publisher.host]: PLAIN }, { imageMirror: mirror.host });
    await pullImage(pull, imageItem(`${publisher.host}/app:1`), watch());
    expect(provenBlobs(pull.depot)).toBe(4);
  });

  it('believes a mirror about a tag only where the publisher cannot be asked, and says so', async () => {
    const mirror = await testRegistry();
    putImage(mirror, '127.0.0.1:1/app', '1', ['amd64']);
    putImage(mirror, '127.0.0.1:1/other', '1', ['amd64']);
    const pull = await puller({ [mirror.host]: PLAIN, '127.0.0.1:1': PLAIN }, { imageMirror: mirror.host });
    const said: string[] = [];
    const { from } = await pullImage(pull, imageItem('127.0.0.1:1/app:1'), watch(said));
    expect(from).toBe(mirror.host);
    expect(said.join('\n')).toContain('its publisher could not be asked');
    expect([...pull.registries.silent]).toEqual(['127.0.0.1:1']);
    await pullImage(pull, imageItem('127.0.0.1:1/other:1'), watch());
  });

  it('takes nothing but the digest that the cluster file gives', async () => {
    const registry = await testRegistry();
    const digest = putImage(registry, 'app', '1', ['amd64']);
    const pull = await puller({ [registry.host]: PLAIN });
    const ref = `${registry.host}/app:1`;
    await pullImage(pull, imageItem(ref, { sha256: digest.slice(7) }), watch());
    const other = pullImage(pull, imageItem(ref, { sha256: 'b'.repeat(64) }), watch());
    await expect(other).rejects.toMatchObject({ code: 'ARTIFACT_UNAVAILABLE' });
  });

  it('is an error that names the image when there is no network', async () => {
    const pull = await puller({}, {}, { offline: true });
    await expect(pullImage(pull, imageItem('registry.k8s.io/pause:3.10'), watch())).rejects.toMatchObject({
      code: 'OFFLINE_MISSING',
      report: { title: expect.stringContaining('registry.k8s.io/pause:3.10') },
    });
  });
});

describe('layout', () => {
  it('is a folder that holds every blob under its digest', async () => {
    const registry = await testRegistry();
    putImage(registry, 'a', '1', ['amd64', 'arm64']);
    putImage(registry, 'b', '1', ['amd64']);
    const pull = await puller({ [registry.host]: PLAIN });
    const images = [
      imageItem(`${registry.host}/a:1`, { arches: ['amd64', 'arm64'] }),
      imageItem(`${registry.host}/b:1`),
    ];
    for (const image of images) await pullImage(pull, image, watch());
    const place = folder();
    await writeLayout(pull.depot.cache, images, place);
    const { manifests } = JSON.parse(readFileSync(join(place, 'index.json'), 'utf8'));
    expect(manifests).toHaveLength(2);
    for (const { digest, annotations } of manifests) {
      const blob = readFileSync(join(place, 'blobs/sha256', digest.slice(7)));
      expect(sumOf(blob)).toBe(digest.slice(7));
      expect(annotations['io.containerd.image.name']).toMatch(registry.host);
    }
    expect(existsSync(join(place, 'oci-layout'))).toBe(true);
  });
});

describe('push', () => {
  /** An image in the cache, and a registry to push it to. */
  const pulled = async (options: Parameters<typeof testRegistry>[0] = {}, access: RegistryCredentials = PLAIN) => {
    const [source, target] = [await testRegistry(), await testRegistry(options)];
    putImage(source, 'app', '1', ['amd64', 'arm64', 's390x']);
    const { depot, registries } = await puller({ [source.host]: PLAIN, [target.host]: access });
    const image = imageItem(`${source.host}/app:1`, { arches: ['amd64', 'arm64'] });
    await pullImage({ depot, registries }, image, watch());
    return {
      source,
      target,
      depot,
      image,
      pusher: { cache: depot.cache, registries, known: new Map<string, string>() },
    };
  };

  it('puts the image under another name, complete for its platforms', async () => {
    const { target, image, pusher } = await pulled();
    await pushImage(pusher, image, `${target.host}/mine/app:1`, watch());
    const fresh = await puller({ [target.host]: PLAIN });
    const again = imageItem(`${target.host}/mine/app:1`, { arches: ['amd64', 'arm64'] });
    expect((await pullImage(fresh, again, watch())).manifests).toHaveLength(2);
  });

  it('sends no blob twice: not what is there, nor what another repository has', async () => {
    const { target, image, pusher } = await pulled();
    const sent = () => target.requests.filter((line) => line.startsWith('PUT') && line.includes('/blobs/')).length;
    await pushImage(pusher, image, `${target.host}/one:1`, watch());
    expect(sent()).toBe(5);
    await pushImage(pusher, image, `${target.host}/one:1`, watch());
    await pushImage(pusher, image, `${target.host}/two:1`, watch());
    expect(sent()).toBe(5);
    expect(target.requests.filter((line) => line.includes('mount=')).length).toBe(5);
  });

  it('goes in pieces where a proxy refuses the whole', async () => {
    const { target, image, pusher } = await pulled({ maxBody: 29_000 });
    await pushImage({ ...pusher, pieceBytes: 10_000 }, image, `${target.host}/app:1`, watch());
    expect(target.requests.filter((line) => line.startsWith('PATCH')).length).toBe(3 + 3 + 5);
  });

  it('tries again when the registry is busy', async () => {
    const { target, image, pusher } = await pulled();
    target.busy.push('POST', 'PUT', 'PUT');
    await pushImage(pusher, image, `${target.host}/app:1`, watch());
    expect(target.manifests.has('app 1')).toBe(true);
  });

  it('logs in', async () => {
    const password = new Secret('p4ss');
    const { target, image, pusher } = await pulled(
      { auth: { type: 'bearer', user: 'u', password: 'p4ss' } },
      { ...PLAIN, username: 'u', password },
    );
    await pushImage(pusher, image, `${target.host}/app:1`, watch());
    expect(target.manifests.has('app 1')).toBe(true);
  });
});
