import { fail } from '../../common/errors/errors.ts';
import { addonByName, requestedAddons } from '../../config/model/addons.ts';
import type { Addon, Cluster } from '../../config/model/cluster.ts';
import { ADDONS } from '../../config/data/addons.ts';

/** The addons selected for a command. */
export interface ChosenAddons {
  readonly addons: readonly Addon[];
  /** The cluster reduced to these addons, so that only their artifacts are fetched. */
  readonly cluster: Cluster;
}

/**
 * Selects addons by name, from the cluster file first and then from the catalog. Without names, selects all addons of the
 * cluster file.
 */
export function chooseAddons(cluster: Cluster, names: readonly string[]): ChosenAddons {
  const requested = requestedAddons(cluster);
  const others = ADDONS.filter((name) => !requested.some((addon) => addon.name === name)).map(addonByName);
  const known = [...requested, ...others];
  const addons =
    names.length === 0
      ? requested
      : [...new Set(names)].map((name) => {
          const found = known.find((addon) => addon.name === name);
          if (found) return found;
          throw fail('ADDON_UNKNOWN', { name, known: known.map((addon) => addon.name).join(', ') });
        });
  return { addons, cluster: { ...cluster, addons, storage: NO_STORAGE, kubernetes: withoutAddons(cluster) } };
}

const NO_STORAGE = { openebs: undefined, nfs: undefined, longhorn: false, localPath: false };

const withoutAddons = ({ kubernetes }: Cluster) => ({ ...kubernetes, kata: false, nodeFeatureDiscovery: false });
