import type { AddonName } from '../data/addons.ts';
import type { Addon, AddonSource, Cluster } from './cluster.ts';

/** Returns all addons that any block of the cluster file requests, without duplicates. */
export function requestedAddons(cluster: Cluster): readonly Addon[] {
  const fromOtherBlocks = [...storageAddons(cluster), ...nodeAddons(cluster)];
  const named = new Set(cluster.addons.map(({ name }) => name));
  return [...fromOtherBlocks.filter((name) => !named.has(name)).map(addonByName), ...cluster.addons];
}

/** Returns a catalog addon with default settings. */
export const addonByName = (name: AddonName): Addon => ({
  type: 'catalog',
  name,
  namespace: undefined,
  values: {},
  valuesFile: undefined,
  wait: true,
});

/** Returns the addons that the storage block requests. The first one provides the default storage class. */
export const storageAddons = ({ storage: { openebs, nfs, longhorn, localPath } }: Cluster): readonly AddonName[] =>
  enabled([
    ['openebs', openebs !== undefined],
    ['nfs-client', nfs !== undefined],
    ['longhorn', longhorn],
    ['local-path', localPath],
  ]);

/** Returns the addons that the kubernetes block requests. */
export const nodeAddons = ({ kubernetes }: Cluster): readonly AddonName[] =>
  enabled([
    ['kata', kubernetes.kata],
    ['node-feature-discovery', kubernetes.nodeFeatureDiscovery],
  ]);

const enabled = (addons: readonly (readonly [AddonName, boolean])[]) =>
  addons.flatMap(([name, on]) => (on ? [name] : []));

/**
 * Describes why an addon cannot be installed yet and an alternative, or returns undefined if the addon is supported.
 */
export function unsupportedAddon(addon: Addon): { readonly what: string; readonly instead: string } | undefined {
  const { name } = addon;
  switch (addon.type) {
    case 'catalog':
      return name === 'kata' || name === 'velero'
        ? { what: `The addon ${name}`, instead: `a list of addons without ${name}` }
        : undefined;
    case 'yaml':
    case 'helm':
      return addon.source.path === undefined && ownAddonUrl(addon.source) === undefined
        ? {
            what: `The addon ${name} with this source`,
            instead: 'an http(s) URL, a chart with repo and version, or a path',
          }
        : undefined;
  }
}

/** Returns the download URL of a manifest or chart, or undefined if it is a local path or not an HTTP URL. */
export function ownAddonUrl(source: AddonSource): string | undefined {
  const url = source.url ?? chartUrl(source);
  return url?.startsWith('http') ? url : undefined;
}

/** Returns the URL of a chart version, which has the same file name in all chart repositories. */
const chartUrl = ({ chart, repo, version }: AddonSource) =>
  chart !== undefined && repo !== undefined && version !== undefined
    ? `${repo.replace(/\/+$/, '')}/${chart}-${version}.tgz`
    : undefined;
