import { basename, join } from 'node:path';
import { FAMILIES, type Family } from '../../common/component-family.ts';
import type { Arch, Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Catalog, FileItem, ImageItem } from '../item.ts';
import { addons } from './addons.ts';
import { overrideWarnings } from './override-warnings.ts';
import type { Component, Release, ReleaseFile } from './component.ts';
import { etcd } from './etcd.ts';
import { helm } from './helm.ts';
import { kubernetes } from './kubernetes.ts';
import { loadBalancer } from './load-balancer.ts';
import { network } from './network.ts';
import { registry } from './registry.ts';
import { runtime } from './runtime.ts';

/** Host architectures, by host name. */
export type Arches = ReadonlyMap<string, Arch>;

/**
 * Returns the files and images that a cluster needs from the given component families, for the architectures of its
 * hosts.
 */
export function catalogOf(cluster: Cluster, arches: Arches, families: readonly Family[] = FAMILIES): Catalog {
  const selected = families.flatMap((family) => componentsOf[family](cluster));
  const all = [...selected, ...helm(selected)];
  const { overrides } = cluster.artifacts;
  const components = mergedByName(all).map((one) => ({ ...one, version: overrides[one.name]?.version ?? one.version }));
  const archesFor = (roles: readonly Role[]) =>
    [
      ...new Set(
        cluster.hosts
          .filter((host) => host.roles.some((role) => roles.includes(role)))
          .flatMap(({ name }) => arches.get(name) ?? []),
      ),
    ].sort();
  const files = components.flatMap((one) => filesOf(one, archesFor(one.roles), overrides));
  const images = components.flatMap((one) => imagesOf(one, archesFor, overrides));
  const warnings = [
    ...components.flatMap(({ note }) => (note === undefined ? [] : [note])),
    ...overrideWarnings(cluster, components, [...files, ...images]),
  ];
  return { files, images, warnings };
}

const componentsOf: Readonly<Record<Family, (cluster: Cluster) => readonly Component[]>> = {
  kubernetes,
  etcd,
  runtime,
  network,
  'load-balancer': loadBalancer,
  registry,
  addons,
};

/** Merges components with the same name and combines their roles. */
function mergedByName(components: readonly Component[]): readonly Component[] {
  const byName = new Map<string, Component>();
  for (const one of components) {
    const other = byName.get(one.name);
    byName.set(one.name, other ? { ...other, roles: [...new Set([...other.roles, ...one.roles])] } : one);
  }
  return [...byName.values()];
}

type Overrides = Cluster['artifacts']['overrides'];

function filesOf(component: Component, arches: readonly Arch[], overrides: Overrides): readonly FileItem[] {
  return (component.files ?? []).flatMap((file) =>
    (file.anyArch ? arches.slice(0, 1) : arches).map((arch) => fileOf(component, file, arch, overrides)),
  );
}

function fileOf(component: Component, file: ReleaseFile, arch: Arch, overrides: Overrides): FileItem {
  const { version, roles, folder } = component;
  const { name, format, anyArch } = file;
  const release = releaseOf(version, arch);
  const { url: override, sha256 } = { ...overrides[name], ...overrides[`${name}/${arch}`] };
  const url = override?.replaceAll('{version}', version).replaceAll('{arch}', arch) ?? file.url(release);
  return {
    type: 'file',
    name,
    version,
    arch: anyArch ? undefined : arch,
    url,
    // The published checksum does not apply to a file from another URL.
    checksumUrl: override === undefined ? file.checksum?.(release, url) : undefined,
    sha256: sha256?.toLowerCase(),
    format,
    roles,
    path: join(folder, version, anyArch ? '' : arch, fileName(url)),
  };
}

const fileName = (url: string) => basename(decodeURIComponent(new URL(url).pathname)) || 'download';

function imagesOf(
  { version, images = [], roles: componentRoles }: Component,
  archesFor: (roles: readonly Role[]) => readonly Arch[],
  overrides: Overrides,
): readonly ImageItem[] {
  const release = { tag: `v${version}`, version };
  return images
    .map(({ name, ref, roles = componentRoles }) => ({ name, roles, ref: ref(release), arches: archesFor(roles) }))
    .filter(({ arches }) => arches.length > 0)
    .map(({ name, roles, ref, arches }) => ({
      type: 'image',
      name,
      version: ref.slice(ref.lastIndexOf(':') + 1),
      arches,
      ref,
      sha256: overrides[name]?.sha256?.toLowerCase(),
      roles,
    }));
}

const releaseOf = (version: string, arch: Arch): Release => ({
  tag: `v${version}`,
  version,
  arch,
  machine: arch === 'amd64' ? 'x86_64' : 'aarch64',
});
