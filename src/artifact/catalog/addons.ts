import { ADDONS } from '../../config/data/addons.ts';
import type { Cluster } from '../../config/cluster.ts';
import { addonRecipes, type AddonName } from './addon-recipes.ts';
import { NODES, type Component } from './component.ts';
import { ownAddon } from './own-addon.ts';

/** Addons by name, addons of the user's own, and what other blocks of the file ask for. */
export function addons(cluster: Cluster): readonly Component[] {
  const named = cluster.addons.flatMap((addon) => (addon.type === 'catalog' ? [addon.name] : []));
  const wanted = new Set<string>([...named, ...askedElsewhere(cluster)]);
  return [
    ...ADDONS.filter((name) => wanted.has(name)).map(componentOf),
    ...cluster.addons.flatMap((addon) => (addon.type === 'catalog' ? [] : [ownAddon(addon)])),
  ];
}

const componentOf = (name: AddonName): Component => ({
  ...addonRecipes[name],
  name,
  roles: NODES,
  folder: `addons/${name}`,
});

function askedElsewhere({ storage, kubernetes, network }: Cluster): readonly AddonName[] {
  const asked: readonly (readonly [AddonName, boolean])[] = [
    ['openebs', storage.openebs !== undefined],
    ['nfs-client', storage.nfs !== undefined],
    ['longhorn', storage.longhorn],
    ['local-path', storage.localPath],
    ['kata', kubernetes.kata],
    ['node-feature-discovery', kubernetes.nodeFeatureDiscovery],
    ['multus', network.multus],
  ];
  return asked.flatMap(([name, on]) => (on ? [name] : []));
}
