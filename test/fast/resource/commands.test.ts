import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { home, kubexm } from '../cli/kubexm.ts';
import { program } from './support/downloader.ts';
import { putImage, testRegistry } from './support/registry.ts';
import { fileServer, sha256Of, type FileServer } from './support/server.ts';

interface Listed {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly from: string;
  readonly sha256?: string;
  readonly size?: number;
}

let mirror: FileServer;
let folder: string;
let file: string;
let listed: readonly Listed[];

const call = (...args: readonly string[]) =>
  kubexm([...args, '-f', file, '--workdir', folder], { KUBEXM_HOME: join(folder, 'home') });
const list = async (): Promise<readonly Listed[]> =>
  JSON.parse((await call('get', 'artifacts', '-o', 'json')).stdout).files;
const onMirror = ({ url }: Listed) => url.replace('https:/', '');
const named = (name: string) => listed.find((one) => one.name === name)!;

beforeEach(async () => {
  mirror = await fileServer();
  folder = home();
  file = join(folder, 'cluster.yaml');
  const checksums = join(folder, 'checksums.txt');
  writeFileSync(checksums, '');
  const text = readFileSync('examples/external-etcd.yaml', 'utf8');
  writeFileSync(
    file,
    `${text}  network: { plugin: none }\n  artifacts: { mirror: '${mirror.url}', checksums: '${checksums}' }\n`,
  );
  listed = await list();
  const lines = listed.map((one, at) => {
    const content = one.url.endsWith('gz') ? gzipSync(one.name) : program(200_000 + at);
    mirror.put(onMirror(one), content);
    return `${sha256Of(content)}  ${onMirror(one).slice(1)}`;
  });
  writeFileSync(checksums, `${lines.join('\n')}\n`);
});

describe('download artifacts', () => {
  it('downloads every file to the cluster folder and does nothing when all are there', async () => {
    expect(listed.map(({ name }) => name)).toEqual([
      'kubeadm',
      'kubelet',
      'kubectl',
      'containerd',
      'runc',
      'cni-plugins',
      'crictl',
    ]);
    expect((await call('download', 'artifacts', '--arch', 'amd64', '--dry-run')).stdout).toContain(
      'not in the cache: kubeadm 1.35.8 amd64',
    );
    const { exit, stderr } = await call('download', 'artifacts', '--arch', 'amd64');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('artifact.download')]);
    for (const one of await list()) {
      const path = join(folder, '.kubexm/external-etcd', one.path);
      expect(sha256Of(readFileSync(path))).toBe(one.sha256);
      expect(one).toMatchObject({ from: 'cache', size: statSync(path).size });
    }
    const before = mirror.requests.length;
    expect((await call('download', 'artifacts', '--arch', 'amd64', '--offline')).exit).toBe(0);
    expect(mirror.requests).toHaveLength(before);
  });

  it('names missing files with --offline', async () => {
    const { exit, stderr } = await call('download', 'artifacts', '--arch', 'amd64', '--offline');
    expect(stderr).toContain('kubeadm 1.35.8 amd64 is missing and cannot be downloaded with --offline');
    expect([exit, mirror.requests]).toEqual([10, []]);
  });

  it('resumes a file after kill -9', async () => {
    const kubelet = onMirror(named('kubelet'));
    mirror.fail(kubelet, 'stalled');
    const args = ['download', 'artifacts', '--arch', 'amd64', '-f', file, '--workdir', folder];
    const env = { ...process.env, KUBEXM_HOME: join(folder, 'home') };
    const child = spawn(resolve('bin/kubexm'), args, { env, stdio: 'ignore' });
    const others = listed
      .filter(({ name }) => name !== 'kubelet')
      .map(({ path }) => join(folder, '.kubexm/external-etcd', path));
    await vi.waitUntil(() => others.every((path) => existsSync(path)), { timeout: 120_000 });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect((await call('download', 'artifacts', '--arch', 'amd64')).exit).toBe(0);
    expect(mirror.requests.findLast(({ path }) => path === kubelet)).toMatchObject({
      range: expect.stringMatching(/^bytes=[1-9]/),
      status: 206,
    });
    expect(mirror.requests.filter(({ path }) => path === onMirror(named('kubeadm')))).toHaveLength(1);
  });
});

it('pulls images with --images', async () => {
  const registry = await testRegistry();
  const config = `    auths: { '${registry.host}': { plainHTTP: true } }`;
  const text = readFileSync(file, 'utf8').replace(
    'artifacts: {',
    `registry:\n${config}\n  artifacts: { imageMirror: '${registry.host}',`,
  );
  writeFileSync(file, text);
  const images = async () => JSON.parse((await call('get', 'artifacts', '-o', 'json')).stdout).images;
  for (const { ref } of await images()) {
    const [, repository = '', tag = ''] = /^(.*):([^:]+)$/.exec(ref) ?? [];
    putImage(registry, repository, tag, ['amd64', 'arm64']);
  }
  // Tags are pinned to digests, so that no other registry is contacted.
  const pins = (await images()).map(({ name, ref }: { name: string; ref: string }) => {
    const content = registry.manifests.get(ref.replace(/:([^:]+)$/, ' $1'))!.content;
    return `${name}: { sha256: '${sha256Of(content)}' }`;
  });
  writeFileSync(file, text.replace('artifacts: {', `artifacts: { overrides: { ${pins.join(', ')} },`));
  const { exit, stderr } = await call('download', 'artifacts', '--arch', 'amd64', '--images');
  expect([exit, stderr]).toEqual([0, expect.stringContaining('artifact.pull-images')]);
  expect((await images()).map(({ from }: { from: string }) => from)).toEqual((await images()).map(() => 'cache'));
  expect((await call('download', 'artifacts', '--arch', 'amd64', '--images', '--offline')).exit).toBe(0);
});

describe('get artifacts', () => {
  it('prints a table', async () => {
    const { stdout } = await call('get', 'artifacts');
    expect(stdout).toMatch(/^NAME +VERSION +ARCH +SIZE +SHA256 +FROM +URL\n/);
    expect(stdout).toContain(`https://dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet`);
    expect(stdout).toContain(mirror.host);
  });
});
