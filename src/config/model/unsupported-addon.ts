import type { Addon } from './cluster.ts';
import { ownAddonUrl } from './own-addon-url.ts';

/** What of an addon cannot be installed yet, and what can be used instead; undefined where all can. */
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
            what: `The addon ${name}, as its source is told,`,
            instead: 'an http(s) url, chart with repo and version, or path',
          }
        : undefined;
  }
}
