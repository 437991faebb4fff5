import { nodeAddons, ownAddonUrl, storageAddons } from '../../config/model/addons.ts';
import { ADDONS } from '../../config/data/addons.ts';
import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { addonComponent } from './addon-recipes.ts';
import { NODES, type Component } from './component.ts';

/** Returns catalog addons, custom addons and addons that other settings in the cluster file require. */
export function addons(cluster: Cluster): readonly Component[] {
  const named = cluster.addons.flatMap((addon) => (addon.type === 'catalog' ? [addon.name] : []));
  const required = new Set<string>([...named, ...storageAddons(cluster), ...nodeAddons(cluster)]);
  return [
    ...ADDONS.filter((name) => required.has(name)).map(addonComponent),
    ...cluster.addons.flatMap((addon) => (addon.type === 'catalog' ? [] : [customAddon(addon)])),
  ];
}

/** Returns a manifest or chart from the cluster file. It has a file to download only if its source is a URL. */
function customAddon({ name, type, source }: Exclude<Addon, { type: 'catalog' }>): Component {
  const base = {
    name,
    version: source.version ?? 'own',
    roles: NODES,
    folder: `addons/${name}`,
    ...(type === 'helm' && { installedByHelm: true as const }),
  };
  const format = type === 'helm' ? 'gzip' : 'yaml';
  const file = type === 'helm' ? `${name}-chart` : `${name}-manifest`;
  const note = `The images of ${name} are unknown; hosts pull them.`;
  const url = ownAddonUrl(source);
  if (url !== undefined) return { ...base, files: [{ name: file, url: () => url, format, anyArch: true }], note };
  if (source.path !== undefined) return { ...base, note };
  return {
    ...base,
    note: `${note} Its chart is not listed either, because the cluster file does not set its version.`,
  };
}
