import type { Addon } from './cluster.ts';

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
