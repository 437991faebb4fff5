import { nodeAddons, storageAddons } from '../../config/model/requested-addons.ts';
import { ADDONS } from '../../config/data/addons.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { addonComponent } from './addon-component.ts';
import type { Component } from './component.ts';
import { ownAddon } from './own-addon.ts';

/** Addons by name, addons of the user's own, and what other blocks of the file ask for. */
export function addons(cluster: Cluster): readonly Component[] {
  const named = cluster.addons.flatMap((addon) => (addon.type === 'catalog' ? [addon.name] : []));
  const wanted = new Set<string>([...named, ...storageAddons(cluster), ...nodeAddons(cluster)]);
  return [
    ...ADDONS.filter((name) => wanted.has(name)).map(addonComponent),
    ...cluster.addons.flatMap((addon) => (addon.type === 'catalog' ? [] : [ownAddon(addon)])),
  ];
}
