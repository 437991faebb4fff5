import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import type { Facts } from '../../../runner/facts.ts';

type System = Pick<Facts, 'packageManager' | 'os'>;

/** The packages of its container runtime that a host installs, by the names they have there. */
export function runtimePackages(
  { kubernetes: { containerRuntime } }: Cluster,
  { roles }: Pick<ClusterHost, 'roles'>,
  facts: System,
): readonly string[] {
  const { type, from } = containerRuntime;
  if (!roles.includes('master') && !roles.includes('worker')) return [];
  switch (type) {
    case 'containerd':
      return [];
    case 'docker':
      return from === 'packages' ? dockerPackages(facts) : [];
    case 'cri-o':
      return from === 'packages' ? CRIO_PACKAGES : [];
    case 'isulad':
      return ISULAD_PACKAGES;
  }
}

/** docker, as each family calls it. */
export function dockerPackages({ packageManager, os }: System): readonly string[] {
  if (packageManager === 'apt') return ['docker.io'];
  if (os.id === 'openeuler' || os.id === 'kylin') return ['docker-engine'];
  return ['docker-ce', 'docker-ce-cli', 'containerd.io'];
}

export const CRIO_PACKAGES: readonly string[] = ['cri-o'];

/** It has no release files. */
export const ISULAD_PACKAGES: readonly string[] = ['iSulad'];
