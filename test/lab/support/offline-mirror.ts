import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mirrorPaths } from '../../../src/lab/mirror/paths.ts';
import { serveMirror, type MirrorServer } from '../../../src/lab/mirror/serve.ts';
import { buildMirror, MIRROR } from '../built-mirror.ts';

/** Two versions of Kubernetes, of which the mirror has all that a small cluster needs. */
export const VERSIONS = { before: '1.35.4', after: '1.36.3' };

const COMPONENTS = ['kubernetes', 'containerd', 'runc', 'cni-plugins', 'crictl', 'etcd', 'coredns', 'pause'];

/** A mirror of a whole small cluster, on this computer. */
export async function offlineMirror(versions: readonly string[] = [VERSIONS.after]): Promise<MirrorServer> {
  await buildMirror(VERSIONS.after, COMPONENTS);
  for (const version of versions.filter((one) => one !== VERSIONS.after))
    await buildMirror(version, ['kubernetes', 'crictl']);
  return serveMirror({ folder: MIRROR, listen: [{ host: '127.0.0.1', port: 0 }] });
}

/** What a cluster file says so that everything comes from a mirror, and nobody else is asked what a tag stands for. */
export async function mirroredBy({ urls: [url = ''] }: MirrorServer, folder: string) {
  const checksums = join(folder, 'sums');
  const { manifests } = JSON.parse(await readFile(join(MIRROR, 'images', 'index.json'), 'utf8'));
  const images = manifests.map(
    ({ digest, annotations }: { digest: string; annotations: Record<string, string> }) =>
      `${digest.slice('sha256:'.length)}  ${annotations['org.opencontainers.image.ref.name']}\n`,
  );
  await writeFile(checksums, `${await readFile(mirrorPaths(MIRROR).checksums, 'utf8')}${images.join('')}`);
  const imageMirror = new URL(url).host;
  const overrides = { runc: '1.1.5', containerd: '2.2.9', etcd: '3.6.16', 'cni-plugins': '1.9.1', coredns: '1.14.2' };
  const versions = Object.entries(overrides).map(([name, version]) => [name, { version: `v${version}` }]);
  return {
    network: { plugin: 'none' },
    registry: { auths: { [imageMirror]: { plainHTTP: true } } },
    artifacts: { mirror: url, imageMirror, checksums, overrides: Object.fromEntries(versions) },
  };
}
