import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ImageItem } from '../../../src/resource/item.ts';
import { ensureProjects, isHarbor } from '../../../src/resource/oci/harbor.ts';
import { openRegistries } from '../../../src/resource/oci/registry.ts';
import { targetNames } from '../../../src/resource/oci/target-name.ts';
import { Secret } from '../../../src/common/secret.ts';
import { loadCluster } from '../../../src/config/load/load.ts';
import { localConnector } from '../../../src/connector/local.ts';
import { isManaged } from '../../../src/step/registry/managed-registry.ts';
import { pushImagesTo } from '../../../src/step/registry/push-images.ts';
import { stepContexts } from '../../lab/support/step-context.ts';
import { home } from '../cli/kubexm.ts';
import { putImage, testRegistry } from './support/registry.ts';
import { fileServer } from './support/server.ts';

const CREDENTIALS = { plainHTTP: true, username: 'admin', password: new Secret('Harbor12345') };
const { signal } = new AbortController();

/** The project API of Harbor. */
async function harbor(projects: Set<string>, creates = 201) {
  const server = await fileServer();
  const login = `Basic ${Buffer.from('admin:Harbor12345').toString('base64')}`;
  const allowed = (request: IncomingMessage) => request.headers.authorization === login;
  const end = (response: ServerResponse, status: number, body = '') => void response.writeHead(status).end(body);
  server.answer('/api/v2.0/systeminfo', (_, response) => end(response, 200, '{"harbor_version":"v2.14.0"}'));
  for (const name of ['kubexm', 'library'])
    server.answer(`/api/v2.0/projects?project_name=${name}`, (request, response) =>
      end(response, allowed(request) && projects.has(name) ? 200 : 404),
    );
  server.answer('/api/v2.0/projects', (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (creates === 201) projects.add(JSON.parse(body).project_name);
      end(response, allowed(request) ? creates : 401, '{"errors":[{"code":"FORBIDDEN"}]}');
    });
  });
  return { host: server.host, registry: registryAt(server.host) };
}

function registryAt(host: string) {
  const registries = openRegistries({ [host]: CREDENTIALS });
  onTestFinished(() => registries[Symbol.asyncDispose]());
  return registries.get(host);
}

it('creates missing projects', async () => {
  const projects = new Set(['library']);
  const { registry } = await harbor(projects);
  expect(await ensureProjects(registry, CREDENTIALS, ['library', 'kubexm'], signal)).toEqual(['kubexm']);
  expect(projects).toEqual(new Set(['library', 'kubexm']));
  expect(await ensureProjects(registry, CREDENTIALS, ['library', 'kubexm'], signal)).toEqual([]);
});

it('accepts a project that is created at the same time', async () => {
  const { registry } = await harbor(new Set(), 409);
  expect(await ensureProjects(registry, CREDENTIALS, ['kubexm'], signal)).toEqual([]);
});

it('reports the response when Harbor rejects a project', async () => {
  const { registry, host } = await harbor(new Set(), 403);
  await expect(ensureProjects(registry, CREDENTIALS, ['kubexm'], signal)).rejects.toMatchObject({
    code: 'HARBOR_REFUSED',
    report: { title: `Could not create the project kubexm in ${host}` },
    message: expect.stringContaining('HTTP 403: {"errors"'),
  });
});

it('is distinguished from other registries', async () => {
  expect(await isHarbor((await harbor(new Set())).registry, CREDENTIALS, signal)).toBe(true);
  expect(await isHarbor(registryAt((await testRegistry()).host), CREDENTIALS, signal)).toBe(false);
});

it('pushes cluster images to projects that it creates', async () => {
  const cache = home();
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('KUBEXM_HOME', cache);
  const [source, target] = [await testRegistry(), await testRegistry({ projects: new Set() })];
  const images = ['pause:3.10', 'coredns/coredns:v1.13.1'].map((name): ImageItem => {
    const [repository = '', tag = ''] = name.split(':');
    putImage(source, repository, tag, ['amd64']);
    const about = { name: repository, version: tag, sha256: undefined, roles: ['worker'] as const };
    return { type: 'image', ref: `${source.host}/${name}`, arches: ['amd64'], ...about };
  });
  const { registry } = await loadCluster('examples/ha-haproxy.yaml', {
    overrides: ['roleGroups.registry=["node1"]', 'registry.type=harbor', `registry.privateRegistry=${target.host}`],
  });
  if (!isManaged(registry)) throw new TypeError('expected a registry managed by kubexm');
  const plain = { plainHTTP: true };
  const step = pushImagesTo(registry, {
    files: [],
    images,
    downloads: { files: [], images },
    artifacts: { mirror: '', zone: '', imageMirror: '', trustMirror: false, checksums: undefined, overrides: {} },
    credentials: { [source.host]: plain, [target.host]: plain },
    offline: false,
    folder: cache,
  });
  const ctx = (await stepContexts(localConnector()))();
  const [part] = step.parts(ctx);
  expect(await part!.precheck(ctx)).toMatchObject({ done: false });
  await part!.run(ctx);
  expect(await part!.precheck(ctx)).toEqual({ done: true });
  const names = [...target.manifests.keys()].filter((name) => !name.includes('sha256'));
  expect(names.sort()).toEqual(['coredns/coredns v1.13.1', 'library/pause 3.10']);
});

it('keeps image names or moves them to one project, but never gives two images the same name', () => {
  const names = (refs: readonly string[], project: string) =>
    targetNames(refs, { registry: 'r.example', project, harbor: false }).map(({ target }) => target);
  const refs = ['registry.k8s.io/pause:3.10', 'nginx:1.30', 'quay.io/calico/node:v3', 'ghcr.io/a/b/c:1'];
  expect(names(refs, '')).toEqual([
    'r.example/pause:3.10',
    'r.example/library/nginx:1.30',
    'r.example/calico/node:v3',
    'r.example/a/b/c:1',
  ]);
  expect(names(refs, 'mine')).toEqual([
    'r.example/mine/pause:3.10',
    'r.example/mine/nginx:1.30',
    'r.example/mine/node:v3',
    'r.example/mine/b/c:1',
  ]);
  expect(() => names(['quay.io/a/node:1', 'quay.io/b/node:1'], 'mine')).toThrow('would have the same name');
});
