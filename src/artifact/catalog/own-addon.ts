import type { Addon } from '../../config/cluster.ts';
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

/** Where it is fetched from; undefined where that cannot be told, or where it is here. */
export function ownAddonUrl(source: Source): string | undefined {
  const url = source.url ?? chartUrl(source);
  return url?.startsWith('http') ? url : undefined;
}

type Source = Exclude<Addon, { type: 'catalog' }>['source'];

/** Where chart repositories keep a release of a chart. */
const chartUrl = ({ chart, repo, version }: Source) =>
  chart !== undefined && repo !== undefined && version !== undefined
    ? `${repo.replace(/\/+$/, '')}/${chart}-${version}.tgz`
    : undefined;
