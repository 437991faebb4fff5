import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { writeLayout } from '../../../src/resource/oci/layout.ts';
import { pullImage } from '../../../src/resource/oci/pull.ts';
import { pushImage } from '../../../src/resource/oci/push.ts';
import { openRegistries } from '../../../src/resource/oci/registry.ts';
import type { RegistryCredentials } from '../../../src/resource/oci/authenticate.ts';
import type { ImageItem } from '../../../src/resource/item.ts';
import { skipUnless } from '../../skip-unless.ts';
import { certificate, testDownloader, folder, countVerifiedBlobs, transferContext } from './support/downloader.ts';
import { putImage, testRegistry } from './support/registry.ts';

// Needs Debian's docker-registry and skopeo, which `make test` gets. The other tests use an in-memory registry.
const unpacked = resolve('node_modules/.cache/docker-registry/usr/bin/docker-registry');
const program = existsSync(unpacked) ? unpacked : '/usr/bin/docker-registry';
const isInstalled = [program, '/usr/bin/skopeo'].every((path) => existsSync(path));

it.each([
  ['without TLS', false],
  ['with TLS', true],
])(
  'works with docker-registry and skopeo, %s',
  { timeout: 180_000, ...skipUnless(isInstalled, 'docker-registry and skopeo are not installed') },
  async (_, secure) => {
    const tls = secure ? certificate() : undefined;
    const { host, log } = await realRegistry(tls);
    const source = await testRegistry();
    putImage(source, 'app', '1', ['amd64', 'arm64']);
    const credentials: RegistryCredentials = tls ? { ca: tls.cert } : { plainHTTP: true };
    const downloader = await testDownloader();
    await using registries = openRegistries({ [source.host]: { plainHTTP: true }, [host]: credentials });
    const image = imageItem(`${source.host}/app:1`);
    await pullImage({ downloader, registries }, image, transferContext());
    const pusher = { cache: downloader.cache, registries, knownBlobs: new Map<string, string>() };
    await pushImage(pusher, image, `${host}/team/app:1`, transferContext());
    await pushImage({ ...pusher, chunkBytes: 7000 }, image, `${host}/other/app:1`, transferContext());
    expect(log().match(/POST \/v2\/other\/app\/blobs\/uploads\/\?mount=\S* HTTP\/1.1" 201/g)).toHaveLength(5);

    const copied = folder();
    execFileSync('skopeo', ['copy', '--all', '--src-tls-verify=false', `docker://${host}/team/app:1`, `dir:${copied}`]);
    const fresh = await testDownloader();
    await pullImage({ downloader: fresh, registries }, imageItem(`${host}/other/app:1`), transferContext());
    expect(countVerifiedBlobs(fresh)).toBe(8);

    const layout = folder();
    await writeLayout(fresh.cache, [imageItem(`${host}/other/app:1`)], layout);
    const raw = execFileSync('skopeo', ['inspect', '--raw', `oci:${layout}:${host}/other/app:1`], { encoding: 'utf8' });
    expect(JSON.parse(raw).manifests).toHaveLength(2);
  },
);

const imageItem = (ref: string): ImageItem => ({
  type: 'image',
  name: 'app',
  version: '1',
  arches: ['amd64', 'arm64'],
  ref,
  sha256: undefined,
  roles: ['worker'],
});

async function realRegistry(tls: { readonly key: string; readonly cert: string } | undefined) {
  const path = folder();
  const port = await freePort();
  const at = (name: string) => join(path, name);
  if (tls) {
    writeFileSync(at('key.pem'), tls.key);
    writeFileSync(at('cert.pem'), tls.cert);
  }
  const encrypted = tls ? `, tls: {certificate: ${at('cert.pem')}, key: ${at('key.pem')}}` : '';
  writeFileSync(
    at('config.yml'),
    `version: 0.1\nlog: {accesslog: {disabled: false}}\nstorage: {filesystem: {rootdirectory: ${at('data')}}}\nhttp: {addr: 127.0.0.1:${port}${encrypted}}\n`,
  );
  const child = spawn(program, ['serve', at('config.yml')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  onTestFinished(async () => {
    child.kill();
    await once(child, 'close');
  });
  await vi.waitUntil(() => text.includes('listening on'), { timeout: 60_000 });
  return { host: `127.0.0.1:${port}`, log: () => text };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
