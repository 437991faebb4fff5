import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { catalogOf } from '../../src/resource/catalog/cluster-artifacts.ts';
import { downloadFile } from '../../src/resource/download/download-file.ts';
import type { Catalog } from '../../src/resource/item.ts';
import { pullImage } from '../../src/resource/oci/pull.ts';
import { openRegistries } from '../../src/resource/oci/registry.ts';
import type { Cluster } from '../../src/config/model/cluster.ts';
import { loadCluster } from '../../src/config/load/load.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import type { MirrorFault } from '../../src/lab/mirror/serve/faults.ts';
import { testDownloader, transferContext } from '../fast/resource/support/downloader.ts';
import { sha256Of } from '../fast/resource/support/server.ts';
import { mirrorSpec, needsOfflineMirror, offlineMirror, VERSIONS } from '../lab/support/offline-mirror.ts';

describe('downloading the container runtime from a mirror', await needsOfflineMirror(), () => {
  let server: MirrorServer;
  let folder: string;
  let cluster: Cluster;
  let catalog: Catalog;
  beforeAll(async () => {
    // A dead proxy blocks requests to anything but the mirror.
    vi.stubEnv('https_proxy', 'http://127.0.0.1:9');
    folder = await mkdtemp(join(tmpdir(), 'kubexm-faults-'));
    server = await offlineMirror();
    const { spec, ...rest } = parse(await readFile('examples/single-node.yaml', 'utf8'));
    const kubernetes = { ...spec.kubernetes, version: `v${VERSIONS.after}` };
    const file = join(folder, 'cluster.yaml');
    await writeFile(file, stringify({ ...rest, spec: { ...spec, kubernetes, ...mirrorSpec(server) } }));
    cluster = await loadCluster(file, { overrides: [] });
    catalog = catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, 'amd64'])), ['runtime']);
    expect([catalog.files.length, catalog.images.length]).toEqual([4, 1]);
  });
  afterEach(() => server.faults.clear());
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Uses a new cache each time, and verifies the checksum of everything in it. */
  async function newFetch() {
    const downloader = await testDownloader(cluster.artifacts, { retry: { stallTimeoutMs: 1000, backoffMs: 20 } });
    const host = new URL(server.urls[0]!).host;
    const fetchAll = async () => {
      await using registries = openRegistries({ [host]: { plainHTTP: true } });
      for (const item of catalog.files) await downloadFile(downloader, item, transferContext());
      for (const image of catalog.images) await pullImage({ downloader, registries }, image, transferContext());
    };
    const proven = () => {
      const at = join(downloader.cache.folder, 'sha256');
      const names = readdirSync(at, { recursive: true, withFileTypes: true }).filter(({ name }) =>
        /^[0-9a-f]{64}$/.test(name),
      );
      for (const { parentPath, name } of names) expect(sha256Of(readFileSync(join(parentPath, name))), name).toBe(name);
      return names.length;
    };
    return { fetchAll, proven };
  }

  it.each<[string, readonly (readonly [string, MirrorFault])[]]>([
    ['slow', [['*.tar.gz', { type: 'slow', bytesPerSecond: 40_000_000 }]]],
    ['stall', [['*', { type: 'stall', times: 2 }]]],
    ['error', [['*', { type: 'error', status: 503, times: 2 }]]],
    ['truncated', [['*', { type: 'truncated', times: 2 }]]],
    [
      'no-range after a broken connection',
      [
        ['*', { type: 'no-range' }],
        ['*.t*z', { type: 'truncated', times: 1 }],
      ],
    ],
    ['wrong-checksum', [['*github.com*', { type: 'wrong-checksum' }]]],
  ])('succeeds despite the fault %s', async (_, faults) => {
    const { fetchAll, proven } = await newFetch();
    for (const [pattern, fault] of faults) server.faults.set(pattern, fault);
    await fetchAll();
    expect(proven()).toBeGreaterThanOrEqual(7);
  });

  it.each<[string, MirrorFault]>([
    ['wrong-content', { type: 'wrong-content' }],
    ['wrong-content, an HTML page', { type: 'wrong-content', page: true }],
    ['permanent error', { type: 'error', status: 500 }],
    ['permanently truncated', { type: 'truncated' }],
  ])('reports the fault %s, caches no corrupt file, and succeeds once the fault is gone', async (_, fault) => {
    const { fetchAll, proven } = await newFetch();
    server.faults.set('*runc.amd64', fault);
    await expect(fetchAll()).rejects.toMatchObject({
      code: 'ARTIFACT_UNAVAILABLE',
      message: expect.stringContaining('runc'),
    });
    const before = proven();
    server.faults.clear();
    await fetchAll();
    expect(proven()).toBeGreaterThan(before);
  });

  it('rejects an image that does not match its digest', async () => {
    const { fetchAll, proven } = await newFetch();
    server.faults.set('*pause*', { type: 'wrong-content' });
    await expect(fetchAll()).rejects.toMatchObject({ message: expect.stringContaining('pause') });
    expect(proven()).toBe(catalog.files.length);
    server.faults.clear();
    await fetchAll();
  });
});
