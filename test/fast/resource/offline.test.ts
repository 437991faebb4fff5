import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { home, kubexm } from '../cli/kubexm.ts';
import { sumOf } from './support/server.ts';
import { testRegistry } from './support/registry.ts';
import { smallWorld, type World } from './support/world.ts';

const packaged = async (world: World, name = 'bundle.tar.gz', ...more: readonly string[]) => {
  const bundle = join(world.folder, name);
  const args = ['-f', world.file, '-o', bundle, '--arch', 'amd64', '--packages', 'none', ...more];
  return { bundle, ...(await world.call('offline', 'package', ...args)) };
};
const keyIn = (text: string) => /SHA256:\S+/.exec(text)![0];
const elsewhere = () => {
  const folder = home();
  return {
    folder,
    call: (...args: readonly string[]) =>
      kubexm([...args, '--workdir', folder], { KUBEXM_HOME: join(folder, 'home'), https_proxy: 'http://127.0.0.1:9' }),
  };
};

describe('offline package', () => {
  it.each(['bundle.tar.gz', 'bundle.tar.zst'])(
    'makes %s, the same bytes each time, and has nothing to do then',
    async (name) => {
      const world = await smallWorld();
      const first = await packaged(world, name);
      expect(first.exit, first.stderr).toBe(0);
      expect(first.stderr).toContain(`Bundle  ${first.bundle}, `);
      const sum = sumOf(readFileSync(first.bundle));
      expect((await packaged(world, name)).stderr).toContain('Nothing to do');
      const second = await packaged(world, `again-${name}`);
      expect(sumOf(readFileSync(second.bundle))).toBe(sum);
      expect((await world.call('offline', 'verify', second.bundle)).exit).toBe(0);
      expect(existsSync(`${second.bundle}.partial`)).toBe(false);
    },
  );

  it('makes a key of its own, for its owner only', async () => {
    const world = await smallWorld();
    const { stderr } = await packaged(world);
    expect(statSync(join(world.folder, 'home/keys/bundle.pem')).mode & 0o777).toBe(0o600);
    expect(keyIn(stderr)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it('holds both architectures when asked to', async () => {
    const world = await smallWorld();
    const { stderr } = await packaged(world, 'both.tar.gz', '--arch', 'arm64');
    expect(stderr).toContain('arm64');
  });

  it('uses no network when told so, and names what is missing', async () => {
    const world = await smallWorld();
    const { exit, stderr } = await packaged(world, 'bundle.tar.gz', '--offline');
    expect([exit, stderr]).toEqual([10, expect.stringContaining('is not here, and --offline forbids to fetch it')]);
    expect(world.files.requests).toEqual([]);
    expect(world.registry.requests).toEqual([]);
  });

  it('refuses a name that says nothing about packing', async () => {
    const world = await smallWorld();
    const { exit, stderr } = await packaged(world, 'bundle.zip');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('.tar.zst or .tar.gz')]);
    expect(world.files.requests).toEqual([]);
  });

  it('says before it fetches anything that there is no place for the bundle, or no zstd', async () => {
    const world = await smallWorld();
    const away = await packaged(world, 'nowhere/bundle.tar.gz');
    expect([away.exit, away.stderr]).toEqual([10, expect.stringContaining('nowhere/bundle.tar.gz')]);
    mkdirSync(join(world.folder, 'folder.tar.gz'));
    expect((await packaged(world, 'folder.tar.gz')).stderr).toContain('it is a directory');
    const base = await packaged(world, 'x.tar.gz', '--base', join(world.folder, 'none.tar.gz'));
    expect([base.exit, base.stderr]).toEqual([10, expect.stringContaining('none.tar.gz')]);
    expect(world.files.requests).toEqual([]);
    expect(world.registry.requests).toEqual([]);
  });
});

describe('a bundle in another place', () => {
  it('is taken when its key was named once, and then all is there without a network', async () => {
    const world = await smallWorld();
    const { bundle, stderr } = await packaged(world);
    const there = elsewhere();
    copyFileSync(world.file, join(there.folder, 'cluster.yaml'));
    const load = () =>
      there.call('download', 'artifacts', '-f', world.file, '--arch', 'amd64', '--images', '--offline-bundle', bundle);
    const unknown = await load();
    expect([unknown.exit, unknown.stderr]).toEqual([10, expect.stringContaining('a key that is not known here')]);
    expect(existsSync(join(there.folder, 'home/cache/sha256'))).toBe(false);
    const other = await there.call('offline', 'verify', bundle, '--key', `SHA256:${'A'.repeat(43)}`);
    expect([other.exit, other.stderr]).toEqual([10, expect.stringContaining('not signed with the key that was named')]);
    const verified = await there.call('offline', 'verify', bundle, '--key', keyIn(stderr));
    expect([verified.exit, verified.stdout]).toEqual([0, expect.stringMatching(/is whole: 7 files, 6 images, /)]);
    const before = world.files.requests.length + world.registry.requests.length;
    const loaded = await load();
    expect(loaded.exit, loaded.stderr).toBe(0);
    expect(world.files.requests.length + world.registry.requests.length).toBe(before);
    const again = await there.call(
      'download',
      'artifacts',
      '-f',
      world.file,
      '--arch',
      'amd64',
      '--images',
      '--offline',
    );
    expect(again.exit, again.stderr).toBe(0);
  });

  it('is loaded by `create cluster` before anything else', async () => {
    const world = await smallWorld();
    const { bundle } = await packaged(world);
    const { exit, stderr } = await elsewhere().call('create', 'cluster', '-f', world.file, '--offline-bundle', bundle);
    expect([exit, stderr]).toEqual([10, expect.stringContaining('a key that is not known here')]);
  });

  it('that is no bundle is an error in words', async () => {
    const there = elsewhere();
    const path = join(there.folder, 'x.tar.gz');
    writeFileSync(path, 'not a bundle');
    for (const act of [
      ['offline', 'verify', path],
      ['offline', 'diff', path, path],
      ['offline', 'sync', path, '--registry', 'r'],
    ]) {
      const { exit, stderr } = await there.call(...act);
      expect([exit, stderr]).toEqual([10, expect.stringContaining('it is neither zstd nor gzip')]);
    }
    expect((await there.call('offline', 'verify', join(there.folder, 'none'))).stderr).toContain('none');
  });
});

describe('two versions', () => {
  it('differ in what changed, and a delta holds only that', async () => {
    const [old, next] = [await smallWorld('v1.35.7'), await smallWorld('v1.35.8')];
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
    expect((await next.call('offline', 'diff', full, delta)).stdout).toContain('They hold the same.');

    const there = elsewhere();
    const key = keyIn(stderr);
    const alone = await there.call('offline', 'verify', delta, '--key', key);
    expect([alone.exit, alone.stderr]).toEqual([
      10,
      expect.stringContaining('missing from the base bundle and the cache'),
    ]);
    expect((await there.call('offline', 'verify', delta, '--key', key, '--base', base)).exit).toBe(0);
    const load = (...bundles: readonly string[]) =>
      there.call(
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
    expect([early.exit, early.stderr]).toEqual([10, expect.stringContaining('and its base is not here')]);
    const baseKey = keyIn((await packaged(old)).stderr);
    expect((await there.call('offline', 'verify', base, '--key', baseKey)).exit).toBe(0);
    const both = await load(base, delta);
    expect(both.exit, both.stderr).toBe(0);
  });
});

describe('offline sync', () => {
  const syncTo = (host: string, bundle: string) => ['offline', 'sync', bundle, '--registry', host, '--plain-http'];

  it('pushes what a registry has not got, under one project, and layers once', async () => {
    const world = await smallWorld();
    const { bundle } = await packaged(world);
    const target = await testRegistry({ auth: { type: 'basic', user: 'ann', password: 'battery' } });
    const sync = (...more: readonly string[]) =>
      kubexm(['offline', 'sync', bundle, '--registry', target.host, '--plain-http', ...more], {
        KUBEXM_HOME: join(world.folder, 'home'),
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

  it('gives a Harbor what has no project at its publisher under one that is made', async () => {
    const world = await smallWorld();
    const { bundle } = await packaged(world);
    const projects = new Set<string>();
    const target = await testRegistry({ projects });
    const { exit, stdout, stderr } = await world.call(...syncTo(target.host, bundle));
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain(`${target.host}/library/kube-proxy:v1.35.8`);
    expect(stdout).toContain(`${target.host}/coredns/coredns:v1.13.1`);
    expect(projects).toEqual(new Set(['library', 'coredns']));
  });

  it('tells what it would push, and does nothing', async () => {
    const world = await smallWorld();
    const { bundle, stderr: made } = await packaged(world);
    const there = elsewhere();
    await there.call('offline', 'verify', bundle, '--key', keyIn(made));
    const target = await testRegistry({ projects: new Set() });
    const first = await there.call(...syncTo(target.host, bundle), '--dry-run');
    expect(first.exit, first.stderr).toBe(0);
    expect(first.stdout.match(/would be pushed/g)).toHaveLength(6);
    expect(target.requests.filter((one) => !/^(GET|HEAD) /.test(one))).toEqual([]);
    expect(existsSync(join(there.folder, 'home/cache'))).toBe(false);
    expect((await there.call(...syncTo(target.host, bundle))).stdout.match(/pushed/g)).toHaveLength(6);
    const [proxy] = [...target.manifests].find(([name]) => name === 'library/kube-proxy v1.35.8')!;
    target.manifests.set(proxy, target.manifests.get('library/pause 3.10.1')!);
    const again = await there.call(...syncTo(target.host, bundle), '--dry-run');
    expect(again.stdout.match(/was there/g)).toHaveLength(5);
    expect(again.stdout).toMatch(/kube-proxy:v1\.35\.8 +would be pushed/);
    const fromFile = [
      'offline',
      'sync',
      '-f',
      world.file,
      '--registry',
      target.host,
      '--plain-http',
      '--arch',
      'amd64',
    ];
    const before = world.registry.requests.length;
    expect((await there.call(...fromFile, '--dry-run')).stdout.match(/was there/g)).toHaveLength(5);
    expect(world.registry.requests).toHaveLength(before);
  });

  it('is refused without a login, and says which registry', async () => {
    const world = await smallWorld();
    const { bundle } = await packaged(world);
    const target = await testRegistry({ auth: { type: 'basic', user: 'ann', password: 'battery' } });
    const { exit, stderr } = await world.call('offline', 'sync', bundle, '--registry', target.host, '--plain-http');
    expect([exit, stderr]).toEqual([10, expect.stringContaining(`${target.host} does not let us in`)]);
  });
});
