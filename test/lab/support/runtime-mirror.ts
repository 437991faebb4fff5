import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { mirrorPaths } from '../../../src/lab/mirror/paths.ts';
import { serveMirror, type MirrorServer } from '../../../src/lab/mirror/serve.ts';
import { gatewayOfLab } from '../../../src/lab/network/network.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { buildMirror, MIRROR, needsMirror } from '../built-mirror.ts';

/** The container runtime versions in the mirror. */
export const RUNTIME = {
  kubernetes: '1.36.3',
  containerd: '2.2.9',
  runc: '1.1.5',
  pause: 'registry.k8s.io/pause:3.10.2',
};

const COMPONENTS = ['containerd', 'runc', 'cni-plugins', 'crictl', 'pause'];

/** Builds a mirror of the container runtime and serves it to this computer and to the machines of a lab. */
export async function runtimeMirror(lab: Lab, ...more: readonly string[]): Promise<MirrorServer> {
  await buildMirror(RUNTIME.kubernetes, [...COMPONENTS, ...more]);
  const listen = ['127.0.0.1', await gatewayOfLab(lab.name)].map((host) => ({ host, port: 0 }));
  return serveMirror({ folder: MIRROR, listen });
}

/** Test options that skip a suite if `runtimeMirror` cannot build what it needs. */
export const needsRuntimeMirror = (...more: readonly string[]) =>
  needsMirror(RUNTIME.kubernetes, [...COMPONENTS, ...more]);

/** Writes a cluster file for a lab that downloads files and images from a mirror. */
export async function runtimeClusterFile(lab: Lab, { urls: [here = '', there = ''] }: MirrorServer): Promise<string> {
  const file = join(lab.paths.folder, 'mirrored.yaml');
  const cluster = parse(await readFile(lab.paths.cluster, 'utf8'));
  const imageMirror = new URL(there).host;
  const spec = {
    ...cluster.spec,
    kubernetes: {
      ...cluster.spec.kubernetes,
      version: RUNTIME.kubernetes,
      containerRuntime: { version: RUNTIME.containerd },
    },
    artifacts: {
      mirror: here,
      imageMirror,
      checksums: mirrorPaths(MIRROR).checksums,
      overrides: { runc: { version: RUNTIME.runc } },
    },
    registry: { auths: { [imageMirror]: { plainHTTP: true } } },
  };
  await writeFile(file, stringify({ ...cluster, spec }), { mode: 0o600 });
  return file;
}

/** A crictl pod config with host networking. */
export const POD = JSON.stringify({
  metadata: { name: 'lives', namespace: 'test', uid: 'lives', attempt: 1 },
  linux: { cgroup_parent: 'system.slice', security_context: { namespace_options: { network: 2 } } },
});
