import type { Cluster } from '../../config/model/cluster.ts';
import { containerdAdvice, crioAdvice, etcdAdvice, networkAdvice } from '../../config/model/compatibility.ts';
import { nearest } from '../../config/load/nearest.ts';
import { minorOf } from '../../config/model/version.ts';
import type { FileItem, ImageItem } from '../item.ts';
import type { Component } from './component.ts';

/** What should be known about the overrides: names that mean nothing, and versions that do not suit each other. */
export function adviceOn(
  cluster: Cluster,
  components: readonly Component[],
  items: readonly (FileItem | ImageItem)[],
): readonly string[] {
  const names = [...new Set([...components, ...items].map(({ name }) => name))].sort();
  return Object.entries(cluster.artifacts.overrides).flatMap(([key, override]) => {
    const name = key.replace(/\/(amd64|arm64)$/, '');
    if (!names.includes(name)) return [unknown(key, names)];
    const component = components.find((one) => one.name === name);
    const isImage = items.every((item) => item.name !== name || item.type === 'image');
    const idle = idleOf(override, component && key === name, isImage);
    if (idle !== undefined) return [`artifacts.overrides.${key}.${idle}`];
    const { version } = override;
    const misfit = component && version !== undefined ? misfitOf(cluster, component, version) : undefined;
    return misfit === undefined ? [] : [`artifacts.overrides.${key}.version ${version} ${misfit}`];
  });
}

/** What of an override has nothing to work on. */
function idleOf(
  { version, url }: Cluster['artifacts']['overrides'][string],
  hasVersion: boolean | undefined,
  isImage: boolean,
): string | undefined {
  if (version !== undefined && !hasVersion)
    return 'version does not count: it follows the version of what it is a part of.';
  if (url !== undefined && isImage)
    return 'url does not count: it is an image; another place is named in artifacts.imageMirror.';
  return undefined;
}

function unknown(key: string, names: readonly string[]): string {
  const near = nearest(key, names);
  return `artifacts.overrides.${key} names nothing that this cluster needs.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

function misfitOf({ kubernetes, network }: Cluster, { name, folder }: Component, version: string): string | undefined {
  if (name === 'containerd') return containerdAdvice(kubernetes.version, version)?.message;
  if (name === 'cri-o') return crioAdvice(kubernetes.version, version);
  if (name === 'etcd') return etcdAdvice(kubernetes.version, version);
  if (name === network.plugin.type) return networkAdvice(name, kubernetes.version, version);
  if (folder === 'kubernetes' && name.startsWith('kube') && minorOf(version) !== minorOf(kubernetes.version))
    return `is of another minor than Kubernetes ${kubernetes.version}`;
  return undefined;
}
