import type { Addon } from '../../config/model/cluster.ts';
import { ownAddonUrl } from '../../config/model/own-addon-url.ts';
import { NODES, type Component } from './component.ts';

/** A manifest or chart of the user's own, where it has to be fetched. */
export function ownAddon({ name, type, source }: Exclude<Addon, { type: 'catalog' }>): Component {
  const base = {
    name,
    version: source.version ?? 'own',
    roles: NODES,
    folder: `addons/${name}`,
    ...(type === 'helm' && { byHelm: true as const }),
  };
  const content = type === 'helm' ? 'gzip' : 'yaml';
  const file = type === 'helm' ? `${name}-chart` : `${name}-manifest`;
  const note = `The images of ${name} are not known here; hosts pull them.`;
  const url = ownAddonUrl(source);
  if (url !== undefined) return { ...base, files: [{ name: file, url: () => url, content, anyArch: true }], note };
  if (source.path !== undefined) return { ...base, note };
  return { ...base, note: `${note} Its chart has no version in the file, so it is not among these files either.` };
}
