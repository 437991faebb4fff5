import { fail } from '../../common/errors/errors.ts';
import { addonByName, askedAddons } from '../../config/model/requested-addons.ts';
import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { ADDONS } from '../../config/data/addons.ts';

/** Some addons of a cluster. */
export interface ChosenAddons {
  readonly addons: readonly Addon[];
  /** The cluster with these addons alone: what they are made from is no more than that. */
  readonly cluster: Cluster;
}

/** Addons by their names: as the file has them, or as the catalog does. All of the file without names. */
export function chooseAddons(cluster: Cluster, names: readonly string[]): ChosenAddons {
  const asked = askedAddons(cluster);
  const known = ADDONS.filter((name) => !asked.some((addon) => addon.name === name)).map(addonByName);
  const addons =
    names.length === 0
      ? asked
      : [...new Set(names)].map((name) => {
          const found = [...asked, ...known].find((addon) => addon.name === name);
          if (found) return found;
          throw fail('ADDON_UNKNOWN', { name, known: [...asked, ...known].map((addon) => addon.name).join(', ') });
        });
  return { addons, cluster: { ...cluster, addons, storage: NO_STORAGE, kubernetes: withoutAddons(cluster) } };
}

const NO_STORAGE = { openebs: undefined, nfs: undefined, longhorn: false, localPath: false };

const withoutAddons = ({ kubernetes }: Cluster) => ({ ...kubernetes, kata: false, nodeFeatureDiscovery: false });
