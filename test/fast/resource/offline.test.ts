import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { home, kubexm } from '../cli/kubexm.ts';
import { sha256Of } from './support/server.ts';
import { testRegistry } from './support/registry.ts';
import { serveCluster, type ServedCluster } from './support/served-cluster.ts';

const packaged = async (cluster: ServedCluster, name = 'bundle.tar.gz', ...more: readonly string[]) => {
  const bundle = join(cluster.folder, name);
  const args = ['-f', cluster.file, '-o', bundle, '--arch', 'amd64', '--packages', 'none', ...more];
  return { bundle, ...(await cluster.call('offline', 'package', ...args)) };
};
const keyIn = (text: string) => /SHA256:\S+/.exec(text)![0];
const otherMachine = () => {
  const folder = home();
  return {
    folder,
    call: (...args: readonly string[]) =>
      kubexm([...args, '--workdir', folder], { KUBEXM_HOME: join(folder, 'home'), https_proxy: 'http://127.0.0.1:9' }),
  };
};

describe('offline package', () => {
  it.each(['bundle.tar.gz', 'bundle.tar.zst'])(
    'creates %s reproducibly and does nothing when it is up to date',
    async (name) => {
      const cluster = await serveCluster();
      const first = await packaged(cluster, name);
      expect(first.exit, first.stderr).toBe(0);
      expect(first.stderr).toContain(`Bundle  ${first.bundle}, `);
      const sha256 = sha256Of(readFileSync(first.bundle));
      expect((await packaged(cluster, name)).stderr).toContain('Nothing to do');
      const second = await packaged(cluster, `again-${name}`);
      expect(sha256Of(readFileSync(second.bundle))).toBe(sha256);
      expect((await cluster.call('offline', 'verify', second.bundle)).exit).toBe(0);
      expect(existsSync(`${second.bundle}.partial`)).toBe(false);
    },
  );

  it('creates a signing key that only its owner can read', async () => {
    const cluster = await serveCluster();
    const { stderr } = await packaged(cluster);
    expect(statSync(join(cluster.folder, 'home/keys/bundle.pem')).mode & 0o777).toBe(0o600);
    expect(keyIn(stderr)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it('packages several architectures', async () => {
    const cluster = await serveCluster();
    const { stderr } = await packaged(cluster, 'both.tar.gz', '--arch', 'arm64');
    expect(stderr).toContain('arm64');
  });

  it('does not use the network with --offline and names what is missing', async () => {
    const cluster = await serveCluster();
    const { exit, stderr } = await packaged(cluster, 'bundle.tar.gz', '--offline');
    expect([exit, stderr]).toEqual([10, expect.stringContaining('is missing and cannot be downloaded with --offline')]);
    expect(cluster.files.requests).toEqual([]);
    expect(cluster.registry.requests).toEqual([]);
  });

  it('rejects an unknown file extension', async () => {
    const cluster = await serveCluster();
    const { exit, stderr } = await packaged(cluster, 'bundle.zip');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('.tar.zst or .tar.gz')]);
    expect(cluster.files.requests).toEqual([]);
  });

  it('checks the output path and the base bundle before downloading', async () => {
    const cluster = await serveCluster();
    const unwritable = await packaged(cluster, 'nowhere/bundle.tar.gz');
    expect([unwritable.exit, unwritable.stderr]).toEqual([10, expect.stringContaining('nowhere/bundle.tar.gz')]);
    mkdirSync(join(cluster.folder, 'folder.tar.gz'));
    expect((await packaged(cluster, 'folder.tar.gz')).stderr).toContain('it is a directory');
    const base = await packaged(cluster, 'x.tar.gz', '--base', join(cluster.folder, 'none.tar.gz'));
    expect([base.exit, base.stderr]).toEqual([10, expect.stringContaining('none.tar.gz')]);
    expect(cluster.files.requests).toEqual([]);
    expect(cluster.registry.requests).toEqual([]);
  });
});

describe('a bundle on another machine', () => {
  it('can be used without a network once its key is trusted', async () => {
    const cluster = await serveCluster();
    const { bundle, stderr } = await packaged(cluster);
    const other = otherMachine();
    copyFileSync(cluster.file, join(other.folder, 'cluster.yaml'));
    const load = () =>
      other.call(
        'download',
        'artifacts',
        '-f',
        cluster.file,
        '--arch',
        'amd64',
        '--images',
        '--offline-bundle',
        bundle,
      );
    const unknown = await load();
    expect([unknown.exit, unknown.stderr]).toEqual([10, expect.stringContaining('is signed with an untrusted key')]);
    expect(existsSync(join(other.folder, 'home/cache/sha256'))).toBe(false);
    const wrongKey = await other.call('offline', 'verify', bundle, '--key', `SHA256:${'A'.repeat(43)}`);
    expect([wrongKey.exit, wrongKey.stderr]).toEqual([10, expect.stringContaining('is signed with a different key')]);
    const verified = await other.call('offline', 'verify', bundle, '--key', keyIn(stderr));
    expect([verified.exit, verified.stdout]).toEqual([0, expect.stringMatching(/is valid: 7 files, 6 images, /)]);
    const before = cluster.files.requests.length + cluster.registry.requests.length;
    const loaded = await load();
    expect(loaded.exit, loaded.stderr).toBe(0);
    expect(cluster.files.requests.length + cluster.registry.requests.length).toBe(before);
    const again = await other.call(
      'download',
      'artifacts',
      '-f',
      cluster.file,
      '--arch',
      'amd64',
      '--images',
      '--offline',
    );
    expect(again.exit, again.stderr).toBe(0);
  });

  it('is loaded by `create cluster` before anything else', async () => {
    const cluster = await serveCluster();
    const { bundle } = await packaged(cluster);
    const { exit, stderr } = await otherMachine().call(
      'create',
      'cluster',
      '-f',
      cluster.file,
      '--offline-bundle',
      bundle,
    );
    expect([exit, stderr]).toEqual([10, expect.stringContaining('is signed with an untrusted key')]);
  });

  it('that has other sizes than its signed index is rejected before they are written', async () => {
    const cluster = await serveCluster();
    const { bundle, stderr } = await packaged(cluster);
    const other = otherMachine();
    expect((await other.call('offline', 'verify', bundle, '--key', keyIn(stderr))).exit).toBe(0);
    const tar = gunzipSync(readFileSync(bundle));
    const isBlobHeader = (offset: number) => tar.toString('latin1', offset, offset + 13) === 'blobs/sha256/';
    const at = Array.from({ length: tar.length / 512 }, (_, block) => block * 512).find(isBlobHeader)!;
    const bomb = join(other.folder, 'bomb.tar.gz');
    const header = Buffer.from(tar.subarray(at, at + 512));
    header.write('00040000000\0', 124);
    header.write('        ', 148);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    writeFileSync(
      bomb,
      gzipSync(Buffer.concat([tar.subarray(0, at), header, Buffer.alloc(8 << 20), Buffer.alloc(1024)])),
    );
    const load = ['download', 'artifacts', '-f', cluster.file, '--arch', 'amd64', '--images'];
    const loaded = await other.call(...load, '--offline-bundle', bomb);
    expect([loaded.exit, loaded.stderr]).toEqual([10, expect.stringMatching(/size is 8388608 bytes, expected \d+/)]);
    expect(existsSync(join(other.folder, 'home/cache/sha256'))).toBe(false);
    expect((await other.call('offline', 'verify', bomb)).stderr).toContain('size is 8388608 bytes');
  });

  it('that is not a bundle is rejected', async () => {
    const other = otherMachine();
    const path = join(other.folder, 'x.tar.gz');
    writeFileSync(path, 'not a bundle');
    for (const args of [
      ['offline', 'verify', path],
      ['offline', 'diff', path, path],
      ['offline', 'sync', path, '--registry', 'r'],
    ]) {
      const { exit, stderr } = await other.call(...args);
      expect([exit, stderr]).toEqual([10, expect.stringContaining('it is neither a zstd nor a gzip archive')]);
    }
    expect((await other.call('offline', 'verify', join(other.folder, 'none'))).stderr).toContain('none');
  });
});

describe('two versions', () => {
  it('are compared, and a delta contains only the changes', async () => {
    const [old, next] = [await serveCluster('v1.35.7'), await serveCluster('v1.35.8')];
    const { bundle: base } = await packaged(old);
    const { bundle: full } = await packaged(next);
    const { bundle: delta, exit, stderr } = await packaged(next, 'delta.tar.gz', '--base', base);
    expect(exit, stderr).toBe(0);
    expect(statSync(delta).size).toBeLessThan(statSync(full).size);
    const table = await next.call('offline', 'diff', base, full);
    expect(table.stdout).toMatch(/^CHANGE +TYPE +NAME +ARCH +BEFORE +AFTER +SIZE\n/);
    expect(table.stdout).toMatch(/changed +file +kubelet +amd64 +1\.35\.7 +1\.35\.8 +1\d\d kB/);
    expect(table.stdout).toMatch(/changed +image +registry\.k8s\.io\/kube-proxy +amd64 +v1\.35\.7 +v1\.35\.8/);
    expect(table.stdout).not.toContain('containerd');
    const json = JSON.parse((await next.call('offline', 'diff', base, full, '-o', 'json')).stdout);
    expect(json.delta.bytes).toBeGreaterThan(300_000);
    expect((await next.call('offline', 'diff', full, delta)).stdout).toContain('The bundles have the same content.');

    const other = otherMachine();
    const key = keyIn(stderr);
    const alone = await other.call('offline', 'verify', delta, '--key', key);
    expect([alone.exit, alone.stderr]).toEqual([
      10,
      expect.stringContaining('missing from the base bundle and the cache'),
    ]);
    expect((await other.call('offline', 'verify', delta, '--key', key, '--base', base)).exit).toBe(0);
    const load = (...bundles: readonly string[]) =>
      other.call(
        'download',
        'artifacts',
        '-f',
        next.file,
        '--arch',
        'amd64',
        '--images',
        ...bundles.flatMap((one) => ['--offline-bundle', one]),
      );
    const early = await load(delta);
    expect([early.exit, early.stderr]).toEqual([
      10,
      expect.stringContaining('is a delta bundle and its base bundle is missing'),
    ]);
    const baseKey = keyIn((await packaged(old)).stderr);
    expect((await other.call('offline', 'verify', base, '--key', baseKey)).exit).toBe(0);
    const both = await load(base, delta);
    expect(both.exit, both.stderr).toBe(0);
  });
});

describe('offline sync', () => {
  const syncTo = (host: string, bundle: string) => ['offline', 'sync', bundle, '--registry', host, '--plain-http'];

  it('pushes missing images to one project and every layer once', async () => {
    const cluster = await serveCluster();
    const { bundle } = await packaged(cluster);
    const target = await testRegistry({ auth: { type: 'basic', user: 'ann', password: 'battery' } });
    const sync = (...more: readonly string[]) =>
      kubexm(['offline', 'sync', bundle, '--registry', target.host, '--plain-http', ...more], {
        KUBEXM_HOME: join(cluster.folder, 'home'),
        KUBEXM_REGISTRY_USERNAME: 'ann',
        KUBEXM_REGISTRY_PASSWORD: 'battery',
      });
    const first = await sync('--project', 'mine');
    expect(first.exit, first.stderr).toBe(0);
    expect(first.stdout.match(/pushed/g)).toHaveLength(6);
    expect(first.stdout).toContain(`${target.host}/mine/coredns:v1.13.1`);
    expect(target.requests.filter((one) => one.includes('mount=')).length).toBeGreaterThan(0);
    const before = target.requests.length;
    expect((await sync('--project', 'mine')).stdout.match(/was there/g)).toHaveLength(6);
    expect(target.requests.slice(before).filter((one) => !/^(GET|HEAD) /.test(one))).toEqual([]);
    expect((await sync()).stdout).toContain(`${target.host}/coredns/coredns:v1.13.1`);
  });

  it('creates Harbor projects and pushes images without a project to library', async () => {
    const cluster = await serveCluster();
    const { bundle } = await packaged(cluster);
    const projects = new Set<string>();
    const target = await testRegistry({ projects });
    const { exit, stdout, stderr } = await cluster.call(...syncTo(target.host, bundle));
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain(`${target.host}/library/kube-proxy:v1.35.8`);
    expect(stdout).toContain(`${target.host}/coredns/coredns:v1.13.1`);
    expect(projects).toEqual(new Set(['library', 'coredns']));
  });

  it('lists what would be pushed with --dry-run and changes nothing', async () => {
    const cluster = await serveCluster();
    const { bundle, stderr: made } = await packaged(cluster);
    const other = otherMachine();
    await other.call('offline', 'verify', bundle, '--key', keyIn(made));
    const target = await testRegistry({ projects: new Set() });
    const first = await other.call(...syncTo(target.host, bundle), '--dry-run');
    expect(first.exit, first.stderr).toBe(0);
    expect(first.stdout.match(/would be pushed/g)).toHaveLength(6);
    expect(target.requests.filter((one) => !/^(GET|HEAD) /.test(one))).toEqual([]);
    expect(existsSync(join(other.folder, 'home/cache'))).toBe(false);
    expect((await other.call(...syncTo(target.host, bundle))).stdout.match(/pushed/g)).toHaveLength(6);
    const [proxy] = [...target.manifests].find(([name]) => name === 'library/kube-proxy v1.35.8')!;
    target.manifests.set(proxy, target.manifests.get('library/pause 3.10.1')!);
    const again = await other.call(...syncTo(target.host, bundle), '--dry-run');
    expect(again.stdout.match(/was there/g)).toHaveLength(5);
    expect(again.stdout).toMatch(/kube-proxy:v1\.35\.8 +would be pushed/);
    const fromFile = [
      'offline',
      'sync',
      '-f',
      cluster.file,
      '--registry',
      target.host,
      '--plain-http',
      '--arch',
      'amd64',
    ];
    const before = cluster.registry.requests.length;
    expect((await other.call(...fromFile, '--dry-run')).stdout.match(/was there/g)).toHaveLength(5);
    expect(cluster.registry.requests).toHaveLength(before);
  });

  it('fails without credentials and names the registry', async () => {
    const cluster = await serveCluster();
    const { bundle } = await packaged(cluster);
    const target = await testRegistry({ auth: { type: 'basic', user: 'ann', password: 'battery' } });
    const { exit, stderr } = await cluster.call('offline', 'sync', bundle, '--registry', target.host, '--plain-http');
    expect([exit, stderr]).toEqual([10, expect.stringContaining(`${target.host} denied access`)]);
  });
});
