import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { mirrorPaths } from '../../../src/lab/mirror/paths.ts';
import { serveMirror, type MirrorServer } from '../../../src/lab/mirror/serve.ts';
import { gatewayOfLab } from '../../../src/lab/network/network.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { buildMirror, MIRROR, needsMirror } from '../built-mirror.ts';

const COMPONENTS = [
  'kubernetes',
  'containerd',
  'runc',
  'cni-plugins',
  'crictl',
  'etcd',
  'coredns',
  'pause',
  'flannel',
  'busybox',
];

/** Builds a mirror with everything a cluster of this version needs, and serves it to this computer and the lab. */
export async function clusterMirror(lab: Lab, version: string, ...more: readonly string[]): Promise<MirrorServer> {
  await buildMirror(version, [...COMPONENTS, ...more]);
  const listen = ['127.0.0.1', await gatewayOfLab(lab.name)].map((host) => ({ host, port: 0 }));
  return serveMirror({ folder: MIRROR, listen });
}

/** Test options that skip a suite if `clusterMirror` cannot build what it needs. */
export const needsClusterMirror = (version: string, ...more: readonly string[]) =>
  needsMirror(version, [...COMPONENTS, ...more]);

/** Changes to the lab's cluster file. */
export interface ClusterOptions {
  /** Kubernetes version. */
  readonly version: string;
  /** Spec fields that replace those of the lab. */
  readonly spec?: Readonly<Record<string, object>>;
}

/** Writes a cluster file for a lab that downloads everything from a mirror. */
export async function mirroredClusterFile(
  lab: Lab,
  { urls: [here = '', there = ''] }: MirrorServer,
  options: ClusterOptions,
): Promise<string> {
  const file = join(lab.paths.folder, 'wished.yaml');
  const cluster = parse(await readFile(lab.paths.cluster, 'utf8'));
  const { kubernetes, ...others } = options.spec ?? {};
  const imageMirror = new URL(there).host;
  const isStacked = JSON.stringify(options.spec?.['etcd'] ?? {}).includes('kubeadm');
  const versions = Object.entries({ ...VERSIONS, ...(!isStacked && { etcd: '3.6.16' }) }).map(([name, version]) => [
    name,
    { version },
  ]);
  const spec = {
    ...cluster.spec,
    kubernetes: {
      ...cluster.spec.kubernetes,
      version: options.version,
      containerRuntime: { version: '2.2.9' },
      ...kubernetes,
    },
    artifacts: {
      mirror: here,
      imageMirror,
      checksums: mirrorPaths(MIRROR).checksums,
      overrides: Object.fromEntries(versions),
    },
    registry: { auths: { [imageMirror]: { plainHTTP: true } } },
    ...others,
  };
  await writeFile(file, stringify({ ...cluster, spec }), { mode: 0o600 });
  return file;
}

/** Versions in the mirror that differ from the catalog. */
const VERSIONS = {
  runc: '1.1.5',
  'cni-plugins': '1.9.1',
  coredns: '1.14.2',
  flannel: '0.26.7',
  'flannel-cni-plugin': '1.6.2-flannel1',
  calico: '3.31.0',
};
