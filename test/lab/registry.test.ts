import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { pullImage } from '../../src/resource/oci/pull.ts';
import { openRegistries } from '../../src/resource/oci/registry.ts';
import { catalogOf } from '../../src/resource/catalog/cluster-artifacts.ts';
import { parseReference } from '../../src/resource/oci/reference.ts';
import { Secret } from '../../src/common/secret.ts';
import { loadCluster } from '../../src/config/load/load.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { podman } from '../../src/lab/podman.ts';
import { run } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { testDownloader, program, transferContext } from '../fast/resource/support/downloader.ts';
import { putImage, testRegistry } from '../fast/resource/support/registry.ts';
import { sha256Of } from '../fast/resource/support/server.ts';
import { runKubexm } from './support/lab-cluster.ts';
import { hostState } from './support/host-state.ts';
import { labNames, ssh, sshText } from './support.ts';

const named = await labNames();
const name = named('registry');
const HOST = 'images.example.com';
const NAME = `${HOST}:5443`;
const PASSWORD = 'correct horse';
let lab: Lab;
let file: string;
let before: readonly string[];
let spec: Record<string, object>;
const server = createServer(({ url }, response) => response.end(readFileSync(join(lab.paths.folder, url!))));
let site: string;

beforeAll(async () => {
  lab = await labUp({ name, machines: 3 });
  const [one, , three] = lab.machines;
  const archive = await debianRegistry(three!, join(lab.paths.folder, 'registry.tar.gz'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  site = `http://127.0.0.1:${port}`;
  file = join(lab.paths.folder, 'registry.yaml');
  ({ spec } = parse(await readFile(lab.paths.cluster, 'utf8')));
  spec = {
    ...spec,
    roleGroups: { etcd: ['node1'], master: ['node1'], worker: ['node2', 'node3'], registry: ['node1'] },
    artifacts: { overrides: { registry: { url: `${site}/registry.tar.gz`, sha256: archive } } },
  };
  before = await hostState(one!);
  await write({});
});
afterAll(() => void server.close());

/** Repackages Debian's docker-registry, an older version of the same program, like an upstream release. */
async function debianRegistry(machine: Machine, path: string): Promise<string> {
  await scriptOn(
    machine,
    `cd /tmp && apt-get -qq update && apt-get -qq download docker-registry >/dev/null
dpkg -x docker-registry_*.deb it && mv it/usr/bin/docker-registry registry && tar -czf registry.tar.gz registry`,
  );
  await podman(['cp', `${machine.container}:/tmp/registry.tar.gz`, path]);
  return sha256Of(readFileSync(path));
}

const write = ({ password = PASSWORD, ...more }: { readonly password?: string; readonly [key: string]: unknown }) =>
  writeFile(
    file,
    stringify({
      apiVersion: 'kubexm.mensylisir.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name },
      spec: {
        ...spec,
        registry: {
          type: 'registry',
          privateRegistry: NAME,
          auths: { [NAME]: { username: 'ann', password } },
          ...more,
        },
      },
    }),
  );

const call = (...args: readonly string[]) => runKubexm(lab, file, ...args);
const done = async (...args: readonly string[]) => {
  const { exit, stderr } = await call(...args);
  expect(exit, stderr).toBe(0);
  return stderr;
};
const caPath = () => join(lab.paths.folder, '.kubexm', name, 'certs/registry/ca.crt');

/** Sends a request to the registry from a machine; resolves with the HTTP status, or "curl" and its exit code. */
async function requestFrom(
  machine: string,
  path: string,
  { user = '', trust = true, more = '', port = 5443 } = {},
): Promise<string> {
  const ca = readFileSync(caPath(), 'utf8');
  const flags = `${user && `-u '${user}'`} ${trust ? '--cacert /tmp/ca.crt' : ''} ${more}`;
  const { stdout, exit } = await ssh(
    lab,
    machine,
    `cat >/tmp/ca.crt <<'E'\n${ca}E
curl -s -m 20 -o /tmp/answer -w '%{http_code}' --resolve ${HOST}:${port}:${lab.machines[0]!.address} ${flags} https://${HOST}:${port}${path}`,
  );
  return exit === 0 ? stdout : `curl ${exit}`;
}
const ANN = `ann:${PASSWORD}`;

describe('a registry on one machine', () => {
  it('is installed, requires the password, and uses a certificate of the registry CA', async () => {
    await done('create', 'registry');
    for (const machine of ['node2', 'node3']) {
      expect(await requestFrom(machine, '/v2/')).toBe('401');
      expect(await requestFrom(machine, '/v2/', { user: 'ann:wrong' })).toBe('401');
      expect(await requestFrom(machine, '/v2/', { user: ANN })).toBe('200');
      expect(await requestFrom(machine, '/v2/', { user: ANN, trust: false })).toBe('curl 60');
    }
    expect(await sshText(lab, 'node1', 'ps -o user= -C registry')).toBe('kubexm-registry');
    expect(await done('create', 'registry')).toContain('Nothing to do');
  });

  it('receives the cluster images once and serves them to the other machines', async () => {
    const source = await testRegistry();
    const cluster = await loadCluster(file, {});
    const { images } = catalogOf(cluster, new Map(cluster.hosts.map((host) => [host.name, 'amd64'])));
    const digests = images.map(({ ref }) => {
      const { registry, repository, tag } = parseReference(ref);
      const digest = putImage(source, `${registry}/${repository}`, tag, ['amd64']);
      return `${digest.slice('sha256:'.length)}  ${ref}\n`;
    });
    const checksums = join(lab.paths.folder, 'checksums.txt');
    await writeFile(checksums, digests.join(''));
    const auths = { [NAME]: { username: 'ann', password: PASSWORD }, [source.host]: { plainHTTP: true } };
    spec = { ...spec, artifacts: { ...spec['artifacts'], imageMirror: source.host } };
    await write({ auths, namespaceOverride: 'mirror' });
    const unverified = await call('create', 'registry', '--push');
    expect(unverified.stderr).toContain('DIGEST_UNKNOWN');
    expect(source.requests).toEqual([]);
    spec = { ...spec, artifacts: { ...spec['artifacts'], checksums } };
    await write({ auths, namespaceOverride: 'mirror' });
    const [swapped] = digests.map((line) => `sha256:${line.slice(0, 64)}`);
    source.corrupted.add(swapped!);
    const refused = await call('create', 'registry', '--push');
    expect(refused.stderr).toContain('ARTIFACT_UNAVAILABLE');
    expect(refused.stderr).toContain(`expected ${swapped!.slice('sha256:'.length)}`);
    source.corrupted.clear();
    await done('create', 'registry', '--push');
    const requestCount = source.requests.length;
    expect(await done('create', 'registry', '--push')).toContain('Nothing to do');
    expect(source.requests).toHaveLength(requestCount);

    const pause = images.find((image) => image.name === 'pause')!;
    const manifest = `/v2/mirror/pause/manifests/${pause.version}`;
    const accept = "-H 'Accept: application/vnd.oci.image.manifest.v1+json'";
    expect(await requestFrom('node2', manifest, { more: accept })).toBe('401');
    expect(await requestFrom('node2', manifest, { user: ANN, more: accept })).toBe('200');
    const { layers } = JSON.parse(await sshText(lab, 'node2', 'cat /tmp/answer'));
    expect(await requestFrom('node3', `/v2/mirror/pause/blobs/${layers[1].digest}`, { user: ANN })).toBe('200');
    expect(await sshText(lab, 'node3', 'sha256sum </tmp/answer')).toContain(layers[1].digest.slice(7));

    const downloader = await testDownloader();
    const access = { username: 'ann', ca: readFileSync(caPath(), 'utf8'), address: lab.machines[0]!.address };
    await using registries = openRegistries({ [NAME]: { ...access, password: new Secret(PASSWORD) } });
    await using anonymous = openRegistries({ [NAME]: access });
    const item = { ...pause, arches: ['amd64' as const], ref: `${NAME}/mirror/pause:${pause.version}` };
    await expect(pullImage({ downloader, registries: anonymous }, item, transferContext())).rejects.toThrow();
    expect((await pullImage({ downloader, registries }, item, transferContext())).manifests).toHaveLength(1);
  });

  it('is read-only during garbage collection and writable again afterwards', async () => {
    const on = (command: string) => sshText(lab, 'node1', command);
    await on('systemctl start kubexm-registry-read-only && systemctl is-active kubexm-registry-read-only');
    await on(`timeout 300 sh -c 'until curl -sk https://localhost:5443/v2/ >/dev/null; do sleep 0.1; done'`);
    expect(await requestFrom('node2', '/v2/mirror/pause/tags/list', { user: ANN })).toBe('200');
    expect(await requestFrom('node2', '/v2/mirror/pause/blobs/uploads/', { user: ANN, more: '-X POST' })).toBe('405');
    await on('systemctl start kubexm-registry');
    expect(await on('systemctl is-active kubexm-registry-read-only; true')).toBe('inactive');

    const blobs = 'find /mnt/registry/docker/registry/v2/blobs -name data | wc -l';
    const all = Number(await on(blobs));
    const head = `curl -skI -u '${ANN}' -H 'Accept: application/vnd.oci.image.manifest.v1+json' https://localhost:5443/v2/mirror`;
    const tag = await on(`curl -sk -u '${ANN}' https://localhost:5443/v2/mirror/kube-proxy/tags/list`);
    const digest = await on(
      `${head}/kube-proxy/manifests/${JSON.parse(tag).tags[0]} | tr -d '\\r' | sed -n 's/^[Dd]ocker-[Cc]ontent-[Dd]igest: //p'`,
    );
    expect(
      await requestFrom('node2', `/v2/mirror/kube-proxy/manifests/${digest}`, { user: ANN, more: '-X DELETE' }),
    ).toBe('202');
    await on('systemctl start kubexm-registry-gc');
    await on(`timeout 300 sh -c 'until systemctl is-active -q kubexm-registry; do sleep 0.1; done'`);
    expect(Number(await on(blobs))).toBe(all - 2);
    expect(await on('systemctl is-active kubexm-registry-read-only kubexm-registry-gc; true')).toBe(
      'inactive\ninactive',
    );
    expect(await done('create', 'registry', '--push'), 'pushes the deleted image again').toContain(
      'registry.push-images',
    );
    expect(Number(await on(blobs))).toBe(all);
  });

  it('accepts a changed password and rejects the old one', async () => {
    await write({ password: 'battery staple', namespaceOverride: 'mirror' });
    await done('create', 'registry');
    expect(await requestFrom('node2', '/v2/', { user: ANN })).toBe('401');
    expect(await requestFrom('node2', '/v2/', { user: 'ann:battery staple' })).toBe('200');
  });

  it('refuses pushes and deletions without the password that kubexm generated', async () => {
    const { auths } = parse(await readFile(file, 'utf8')).spec.registry;
    const { [NAME]: _, ...others } = auths;
    const stderr = await done('create', 'registry', '-e', `registry.auths=${JSON.stringify(others)}`);
    const path = join(lab.paths.folder, '.kubexm', name, 'registry/password');
    const password = readFileSync(path, 'utf8').trim();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(stderr).not.toContain(password);
    const upload = '/v2/mirror/pause/blobs/uploads/';
    const manifest = '/v2/mirror/kube-proxy/manifests/latest';
    expect(await requestFrom('node2', upload, { more: '-X POST' })).toBe('401');
    expect(await requestFrom('node2', manifest, { more: `-X PUT -d '{}'` })).toBe('401');
    expect(await requestFrom('node2', manifest, { more: '-X DELETE' })).toBe('401');
    expect(await requestFrom('node2', '/v2/mirror/pause/tags/list')).toBe('401');
    expect(await requestFrom('node2', upload, { user: `kubexm:${password}`, more: '-X POST' })).toBe('202');
    await done('create', 'registry');
  });

  it('lets everyone pull, but nobody change anything, with anonymousPull', async () => {
    const open = ['-e', 'registry.anonymousPull=true'];
    await done('create', 'registry', ...open);
    expect(await done('create', 'registry', ...open)).toContain('Nothing to do');
    const login = { user: 'ann:battery staple' };
    const upload = '/v2/mirror/pause/blobs/uploads/';
    for (const user of ['', login.user]) {
      expect(await requestFrom('node2', '/v2/mirror/pause/tags/list', { user })).toBe('200');
      expect(await requestFrom('node2', upload, { user, more: '-X POST' })).toBe('405');
      expect(await requestFrom('node2', '/v2/mirror/pause/manifests/latest', { user, more: '-X DELETE' })).toBe('405');
    }
    const pushAt = (path: string, options: { readonly user?: string; readonly more?: string } = {}) =>
      requestFrom('node2', path, { ...options, port: 5444 });
    expect(await pushAt(upload, { more: '-X POST' })).toBe('401');
    expect(await pushAt(upload, { ...login, more: '-X POST' })).toBe('202');
    await sshText(lab, 'node1', 'systemctl start kubexm-registry-gc');
    await sshText(lab, 'node1', `timeout 300 sh -c 'until systemctl is-active -q kubexm-registry; do sleep 0.1; done'`);
    expect(await sshText(lab, 'node1', 'systemctl is-active kubexm-registry kubexm-registry-read-only')).toBe(
      'active\nactive',
    );
    await done('create', 'registry');
    expect(await sshText(lab, 'node1', 'systemctl is-active kubexm-registry-read-only; true')).toBe('inactive');
    expect(await requestFrom('node2', '/v2/mirror/pause/tags/list')).toBe('401');
    expect(await done('create', 'registry')).toContain('Nothing to do');
  });

  it('keeps its images with --preserve-data, and without it restores the host to its original state', async () => {
    const refused = await call('delete', 'registry');
    expect(refused.exit).not.toBe(0);
    await done('delete', 'registry', '--yes', '--preserve-data');
    expect(await requestFrom('node2', '/v2/')).toBe('curl 7');
    await sshText(lab, 'node1', 'useradd --system somebody-else');
    await done('create', 'registry');
    expect(await requestFrom('node2', '/v2/mirror/pause/tags/list', { user: 'ann:battery staple' })).toBe('200');
    // The cluster file no longer has a registry: the record on the host is enough to remove it.
    const withRegistry = spec;
    spec = { ...spec, roleGroups: { ...spec['roleGroups'], registry: [] } };
    await write({ type: 'external' });
    await done('delete', 'registry', '--yes');
    spec = withRegistry;
    await sshText(lab, 'node1', 'userdel somebody-else; [ ! -e /mnt/registry ] && [ ! -e /var/lib/kubexm/registry ]');
    await done('delete', 'cluster', '--yes');
    expect(await hostState(lab.machines[0]!)).toEqual(before);
  });
});

it('runs the Harbor installer, and leaves nothing behind if it fails', async () => {
  const folder = lab.paths.folder;
  const pack = (name: string, script: string) =>
    run([
      'sh',
      '-euc',
      `cd "$(mktemp -d)"; mkdir harbor; cd harbor; ${script}; cd ..; tar -czf ${folder}/${name} harbor`,
    ]);
  await pack('harbor.tgz', `echo 'echo its images are missing >&2; exit 1' >install.sh; echo x >harbor.v2.15.2.tar.gz`);
  await pack('docker.tgz', 'echo x >docker');
  await writeFile(join(folder, 'docker-compose'), program());
  const file = (name: string) => ({ url: `${site}/${name}`, sha256: sha256Of(readFileSync(join(folder, name))) });
  const overrides = {
    harbor: file('harbor.tgz'),
    docker: file('docker.tgz'),
    'docker-compose': file('docker-compose'),
  };
  spec = { ...spec, artifacts: { overrides }, roleGroups: { ...spec['roleGroups'], registry: ['node2'] } };
  await write({ type: 'harbor', auths: {} });
  const state = () => hostState(lab.machines[1]!);
  const found = await state();
  expect((await call('create', 'registry')).stderr).toContain('DOCKER_MISSING');
  expect(await state()).toEqual(found);

  await sshText(lab, 'node2', `printf '#!/bin/sh\n' >/usr/local/bin/docker; chmod +x /usr/local/bin/docker`);
  const ready = await state();
  const { stderr, exit } = await call('create', 'registry', '--no-rollback');
  expect(stderr).toContain('its images are missing');
  expect(exit).toBe(12);
  const settings = parse(await sshText(lab, 'node2', 'cat /opt/harbor/harbor.yml'));
  expect(settings).toMatchObject({
    hostname: 'images.example.com',
    https: { port: 5443 },
    data_volume: '/mnt/registry',
  });
  expect(settings.harbor_admin_password).toMatch(/^Aa1/);
  expect(stderr).not.toContain(settings.harbor_admin_password);
  await write({ type: 'harbor', auths: {}, harbor: { trivy: true }, registryDataDir: '/srv/elsewhere' });
  await done('delete', 'cluster', '--yes');
  expect(await state()).toEqual(ready);
});

it('reports problems of an external registry', async () => {
  const source = await testRegistry({ auth: { type: 'basic', user: 'bob', password: 'secret' } });
  const external = { type: 'external', privateRegistry: source.host };
  const login = (password: string) => ({ [source.host]: { username: 'bob', password, plainHTTP: true } });
  spec = { ...spec, roleGroups: { etcd: ['node1'], master: ['node1'], worker: ['node2', 'node3'] } };
  await write({ ...external, auths: login('secret') });
  expect(await done('create', 'registry')).toContain('Nothing to do');
  await write({ ...external, auths: login('other') });
  expect((await call('create', 'registry')).stderr).toContain('REGISTRY_DENIED');
  await write({ ...external, privateRegistry: '127.0.0.1:9', auths: {} });
  const { exit, stderr } = await call('create', 'registry');
  expect(stderr).toContain('REGISTRY_UNREACHABLE');
  expect(stderr).toContain('ECONNREFUSED');
  expect(exit).toBe(11);
});
