import type { Addon } from '../../config/cluster.ts';
import { NODES, type Component } from './component.ts';

/** A manifest or chart of the user's own, where it has to be fetched. */
export function ownAddon({ name, type, source }: Exclude<Addon, { type: 'catalog' }>): Component {
  const base = { name, version: source.version ?? 'own', roles: NODES, folder: `addons/${name}` };
  const content = type === 'helm' ? 'gzip' : 'yaml';
  const note = `The images of ${name} are not known here; hosts pull them.`;
  const url = source.url ?? chartUrl(source);
  if (url !== undefined && url.startsWith('http'))
    return { ...base, files: [{ name, url: () => url, content, anyArch: true }], note };
  if (source.path !== undefined) return { ...base, note };
  return { ...base, note: `${note} Its chart has no version in the file, so it is not among these files either.` };
}

/** Where chart repositories keep a release of a chart. */
const chartUrl = ({ chart, repo, version }: Exclude<Addon, { type: 'catalog' }>['source']) =>
  chart !== undefined && repo !== undefined && version !== undefined
    ? `${repo.replace(/\/+$/, '')}/${chart}-${version}.tgz`
    : undefined;
