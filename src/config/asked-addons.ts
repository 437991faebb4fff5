import type { Cluster } from './cluster.ts';
import type { AddonName } from './data/addons.ts';

/** The addons that the storage block asks for; the first of them makes volumes that name no class. */
export const storageAddons = ({ storage: { openebs, nfs, longhorn, localPath } }: Cluster): readonly AddonName[] =>
  chosen([
    ['openebs', openebs !== undefined],
    ['nfs-client', nfs !== undefined],
    ['longhorn', longhorn],
    ['local-path', localPath],
  ]);

/** The addons that the kubernetes block asks for. */
export const nodeAddons = ({ kubernetes }: Cluster): readonly AddonName[] =>
  chosen([
    ['kata', kubernetes.kata],
    ['node-feature-discovery', kubernetes.nodeFeatureDiscovery],
  ]);

const chosen = (asked: readonly (readonly [AddonName, boolean])[]) => asked.flatMap(([name, on]) => (on ? [name] : []));
