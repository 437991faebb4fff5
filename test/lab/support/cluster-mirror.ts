import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { mirrorPaths } from '../../../src/lab/mirror/paths.ts';
import { serveMirror, type MirrorServer } from '../../../src/lab/mirror/serve.ts';
import { gatewayOfLab } from '../../../src/lab/network/network.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { buildMirror, MIRROR } from '../built-mirror.ts';

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

/** A mirror of all that a cluster of this version is made of, for this computer and for pods on the machines of a lab. */
export async function clusterMirror(lab: Lab, version: string, ...more: readonly string[]): Promise<MirrorServer> {
  await buildMirror(version, [...COMPONENTS, ...more]);
  const listen = ['127.0.0.1', await gatewayOfLab(lab.name)].map((host) => ({ host, port: 0 }));
  return serveMirror({ folder: MIRROR, listen });
}

/** What a test says of its cluster, beside what the lab says of its machines. */
export interface ClusterWish {
  readonly version: string;
  /** Blocks of the file, put over those of the lab. */
  readonly spec?: Readonly<Record<string, object>>;
}

/** The file of a cluster on the machines of a lab that is made from a mirror. */
export async function clusterOn(
  lab: Lab,
  { urls: [here = '', there = ''] }: MirrorServer,
  wish: ClusterWish,
): Promise<string> {
  const file = join(lab.paths.folder, 'wished.yaml');
  const cluster = parse(await readFile(lab.paths.cluster, 'utf8'));
  const { kubernetes, ...others } = wish.spec ?? {};
  const imageMirror = new URL(there).host;
  const isStacked = JSON.stringify(wish.spec?.['etcd'] ?? {}).includes('kubeadm');
  const versions = Object.entries({ ...VERSIONS, ...(!isStacked && { etcd: '3.6.16' }) }).map(([name, version]) => [
    name,
    { version },
  ]);
  const spec = {
    ...cluster.spec,
    kubernetes: {
      ...cluster.spec.kubernetes,
      version: wish.version,
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

/** What the mirror has, where it is not what the catalog says. */
const VERSIONS = {
  runc: '1.1.5',
  'cni-plugins': '1.9.1',
  coredns: '1.14.2',
  flannel: '0.26.7',
  'flannel-cni-plugin': '1.6.2-flannel1',
};
