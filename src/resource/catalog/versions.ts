import { compareVersions, minorOf, toVersion } from '../../config/model/version.ts';

/** Component versions that match a Kubernetes release. */
export interface ComponentVersions {
  readonly pause: string;
  readonly coredns: string;
  /** Image tag that kubeadm uses, such as 3.6.6-0. */
  readonly etcd: string;
  readonly cniPlugins: string;
  readonly nodeCache: string;
  readonly containerd: string;
  readonly crictl: string;
  readonly crio: string;
}

/**
 * Returns the component versions for a Kubernetes release. Uses the newest entries for releases newer than the tables.
 */
export function componentVersions(kubernetes: string): ComponentVersions {
  const [, pause, coredns, etcd] =
    kubeadmDefaults.find(([from]) => compareVersions(kubernetes, from) >= 0 || isPrerelease(kubernetes, from)) ??
    kubeadmDefaults.at(-1)!;
  const minor = minorOf(kubernetes);
  return {
    pause,
    coredns,
    etcd,
    cniPlugins: since(cniPlugins, minor),
    nodeCache: since(nodeCache, minor),
    containerd: since(containerd, minor),
    crictl: `1.${minor}.0`,
    crio: crioPatches[minor] ?? `1.${minor}.0`,
  };
}

/** Removes the pre-release suffix, so that 1.37.0-rc.1 uses the versions of 1.37.0. */
const isPrerelease = (version: string, from: string) =>
  version.includes('-') && toVersion(version).minor === minorOf(from) && toVersion(from).patch === 0;

const since = (table: readonly (readonly [minor: number, version: string])[], minor: number) =>
  (table.find(([from]) => minor >= from) ?? table.at(-1)!)[1];

/** Default versions in kubeadm, starting with the given patch release; newest first. */
const kubeadmDefaults: readonly (readonly [kubernetes: string, pause: string, coredns: string, etcd: string])[] = [
  ['1.37.0', '3.10.2', '1.14.6', '3.7.0-0'],
  ['1.36.0', '3.10.2', '1.14.2', '3.6.8-0'],
  ['1.35.0', '3.10.1', '1.13.1', '3.6.6-0'],
  ['1.34.2', '3.10.1', '1.12.1', '3.6.5-0'],
  ['1.34.0', '3.10.1', '1.12.1', '3.6.4-0'],
  ['1.33.6', '3.10', '1.12.0', '3.5.24-0'],
  ['1.33.0', '3.10', '1.12.0', '3.5.21-0'],
  ['1.32.10', '3.10', '1.11.3', '3.5.24-0'],
  ['1.32.0', '3.10', '1.11.3', '3.5.16-0'],
  ['1.31.14', '3.10', '1.11.3', '3.5.24-0'],
  ['1.31.1', '3.10', '1.11.3', '3.5.15-0'],
  ['1.31.0', '3.10', '1.11.1', '3.5.15-0'],
  ['1.30.5', '3.9', '1.11.3', '3.5.15-0'],
  ['1.30.0', '3.9', '1.11.1', '3.5.12-0'],
  ['1.29.11', '3.9', '1.11.1', '3.5.16-0'],
  ['1.29.9', '3.9', '1.11.1', '3.5.15-0'],
  ['1.29.3', '3.9', '1.11.1', '3.5.12-0'],
  ['1.29.0', '3.9', '1.11.1', '3.5.10-0'],
  ['1.28.14', '3.9', '1.10.1', '3.5.15-0'],
  ['1.28.8', '3.9', '1.10.1', '3.5.12-0'],
  ['1.28.6', '3.9', '1.10.1', '3.5.10-0'],
  ['1.28.0', '3.9', '1.10.1', '3.5.9-0'],
  ['1.27.12', '3.9', '1.10.1', '3.5.12-0'],
  ['1.27.10', '3.9', '1.10.1', '3.5.10-0'],
  ['1.27.7', '3.9', '1.10.1', '3.5.9-0'],
  ['1.27.0', '3.9', '1.10.1', '3.5.7-0'],
  ['1.26.13', '3.9', '1.9.3', '3.5.10-0'],
  ['1.26.10', '3.9', '1.9.3', '3.5.9-0'],
  ['1.26.0', '3.9', '1.9.3', '3.5.6-0'],
  ['1.25.15', '3.8', '1.9.3', '3.5.9-0'],
  ['1.25.5', '3.8', '1.9.3', '3.5.6-0'],
  ['1.25.4', '3.8', '1.9.3', '3.5.5-0'],
  ['1.25.0', '3.8', '1.9.3', '3.5.4-0'],
  ['1.24.9', '3.7', '1.8.6', '3.5.6-0'],
  ['1.24.8', '3.7', '1.8.6', '3.5.5-0'],
  ['1.24.0', '3.7', '1.8.6', '3.5.3-0'],
];

const cniPlugins = [
  [36, '1.9.1'],
  [35, '1.8.0'],
  [34, '1.7.1'],
  [33, '1.6.2'],
  [32, '1.6.0'],
  [31, '1.5.1'],
  [24, '1.4.0'],
] as const;

const nodeCache = [
  [37, '1.26.8'],
  [36, '1.26.7'],
  [34, '1.26.4'],
  [33, '1.25.0'],
  [24, '1.22.28'],
] as const;

/** The newest maintained branch tested with the Kubernetes minor version. */
const containerd = [
  [36, '2.3.4'],
  [32, '2.2.9'],
  [24, '1.7.33'],
] as const;

/** Known patch releases after .0, by minor version. */
const crioPatches: Readonly<Record<number, string>> = { 36: '1.36.3' };
