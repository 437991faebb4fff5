import type { Addon, Cluster } from './cluster.ts';
import type { AddonName } from '../data/addons.ts';

/** All addons that the file asks for, in whatever block, each once. */
export function askedAddons(cluster: Cluster): readonly Addon[] {
  const elsewhere = [...storageAddons(cluster), ...nodeAddons(cluster)];
  const named = new Set(cluster.addons.map(({ name }) => name));
  return [...elsewhere.filter((name) => !named.has(name)).map(addonByName), ...cluster.addons];
}

/** An addon of the catalog as it is when nothing is said of it. */
export const addonByName = (name: AddonName): Addon => ({
  type: 'catalog',
  name,
  namespace: undefined,
  values: {},
  valuesFile: undefined,
  wait: true,
});

/** The addons that the storage block asks for; the first of them makes volumes that name no class. */
export const storageAddons = ({ storage: { openebs, nfs, longhorn, localPath } }: Cluster): readonly AddonName[] =>
  chosen([
    ['openebs', openebs !== undefined],
    ['nfs-client', nfs !== undefined],
    ['longhorn', longhorn],
    ['local-path', localPath],
  ]);

/** The addons that the kubernetes block asks for. */
export const nodeAddons = ({ kubernetes }: Cluster): readonly AddonName[] =>
  chosen([
    ['kata', kubernetes.kata],
    ['node-feature-discovery', kubernetes.nodeFeatureDiscovery],
  ]);

const chosen = (asked: readonly (readonly [AddonName, boolean])[]) => asked.flatMap(([name, on]) => (on ? [name] : []));
