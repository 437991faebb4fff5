import { mirrorPaths } from '../../../src/lab/mirror/paths.ts';
import { serveMirror, type MirrorServer } from '../../../src/lab/mirror/serve.ts';
import { buildMirror, MIRROR, needsMirror } from '../built-mirror.ts';

/** The Kubernetes versions in the mirror. */
export const VERSIONS = { before: '1.35.4', after: '1.36.3' };

const COMPONENTS = ['kubernetes', 'containerd', 'runc', 'cni-plugins', 'crictl', 'etcd', 'coredns', 'pause'];

/** Builds a mirror with everything a small cluster needs, and serves it on this computer. */
export async function offlineMirror(versions: readonly string[] = [VERSIONS.after]): Promise<MirrorServer> {
  await buildMirror(VERSIONS.after, COMPONENTS);
  for (const version of versions.filter((one) => one !== VERSIONS.after))
    await buildMirror(version, ['kubernetes', 'crictl']);
  return serveMirror({ folder: MIRROR, listen: [{ host: '127.0.0.1', port: 0 }] });
}

/** Test options that skip a suite if `offlineMirror` cannot build what it needs. */
export const needsOfflineMirror = () => needsMirror(VERSIONS.after, COMPONENTS);

/** Spec fields that take everything from a mirror. */
export function mirrorSpec({ urls: [url = ''] }: MirrorServer) {
  const imageMirror = new URL(url).host;
  const overrides = { runc: '1.1.5', containerd: '2.2.9', etcd: '3.6.16', 'cni-plugins': '1.9.1', coredns: '1.14.2' };
  const versions = Object.entries(overrides).map(([name, version]) => [name, { version: `v${version}` }]);
  const { checksums } = mirrorPaths(MIRROR);
  return {
    network: { plugin: 'none' },
    registry: { auths: { [imageMirror]: { plainHTTP: true } } },
    artifacts: { mirror: url, imageMirror, checksums, overrides: Object.fromEntries(versions) },
  };
}
