import type { Cluster } from '../../config/model/cluster.ts';
import { containerdAdvice, crioAdvice, etcdAdvice, networkAdvice } from '../../config/model/compatibility.ts';
import { nearest } from '../../config/diagnostic/nearest.ts';
import { minorOf } from '../../config/model/version.ts';
import type { FileItem, ImageItem } from '../item.ts';
import type { Component } from './component.ts';

/** Warns about overrides that have no effect and about incompatible versions. */
export function overrideWarnings(
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
    const ignored = ignoredField(override, component && key === name, isImage);
    if (ignored !== undefined) return [`artifacts.overrides.${key}.${ignored}`];
    const { version } = override;
    const problem = component && version !== undefined ? incompatibility(cluster, component, version) : undefined;
    return problem === undefined ? [] : [`artifacts.overrides.${key}.version ${version} ${problem}`];
  });
}

function ignoredField(
  { version, url }: Cluster['artifacts']['overrides'][string],
  hasVersion: boolean | undefined,
  isImage: boolean,
): string | undefined {
  if (version !== undefined && !hasVersion)
    return 'version is ignored; set the version of the component that this file is part of.';
  if (url !== undefined && isImage) return 'url is ignored for images; use artifacts.imageMirror instead.';
  return undefined;
}

function unknown(key: string, names: readonly string[]): string {
  const near = nearest(key, names);
  return `artifacts.overrides.${key} does not match any artifact of this cluster.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

function incompatibility(
  { kubernetes, network }: Cluster,
  { name, folder }: Component,
  version: string,
): string | undefined {
  if (name === 'containerd') return containerdAdvice(kubernetes.version, version)?.message;
  if (name === 'cri-o') return crioAdvice(kubernetes.version, version);
  if (name === 'etcd') return etcdAdvice(kubernetes.version, version);
  if (name === network.plugin.type) return networkAdvice(name, kubernetes.version, version);
  if (folder === 'kubernetes' && name.startsWith('kube') && minorOf(version) !== minorOf(kubernetes.version))
    return `does not have the same minor version as Kubernetes ${kubernetes.version}`;
  return undefined;
}
