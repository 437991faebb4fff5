import { storageAddons } from '../../config/model/addons.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { AddonName } from '../../config/data/addons.ts';
import type { Assets } from '../../resource/assets.ts';
import type { Patch } from '../kubernetes-object/patch.ts';
import { localPathPatch } from './local-path.ts';
import { metricsServerPatch } from './metrics-server.ts';

/** How an addon of the catalog is installed. */
export type AddonRecipe =
  | { readonly type: 'manifest'; readonly patch: Patch }
  | { readonly type: 'chart'; readonly namespace: string; readonly values: object };

/** Our own way of installing an addon of the catalog in this cluster; undefined where there is none yet. */
export function addonRecipe(
  name: AddonName,
  cluster: Cluster,
  { images }: Pick<Assets, 'images'>,
): AddonRecipe | undefined {
  const { storage } = cluster;
  const isDefault = storageAddons(cluster)[0] === name;
  switch (name) {
    case 'ingress-nginx':
      return chart('ingress-nginx', ingressValues);
    case 'local-path':
      return { type: 'manifest', patch: localPathPatch(images, isDefault) };
    case 'longhorn':
      return chart('longhorn-system', { persistence: { defaultClass: isDefault } });
    case 'metallb':
    case 'multus':
      return { type: 'manifest', patch: (objects) => objects };
    case 'metrics-server':
      return { type: 'manifest', patch: metricsServerPatch(cluster) };
    case 'monitoring':
      return chart('monitoring', {});
    case 'nfs-client':
      return chart('nfs-client', {
        ...(storage.nfs && { nfs: { server: storage.nfs.server, path: storage.nfs.path } }),
        storageClass: { name: 'nfs-client', defaultClass: isDefault },
      });
    case 'node-feature-discovery':
      return chart('node-feature-discovery', {});
    case 'openebs':
      return chart('openebs', openEbsValues(storage.openebs?.basePath ?? '/var/openebs/local', isDefault));
    case 'kata':
    case 'velero':
      return undefined;
  }
}

const chart = (namespace: string, values: object): AddonRecipe => ({ type: 'chart', namespace, values });

const ingressValues = {
  controller: {
    // Nobody gives out addresses of load balancers unless the user has somebody who does.
    service: { type: 'NodePort' },
    // Images are told apart by tags, as a registry of the user's own has them.
    image: { digest: '' },
    admissionWebhooks: { patch: { image: { digest: '' } } },
  },
};

const openEbsValues = (basePath: string, isDefaultClass: boolean) => ({
  localpv: { basePath },
  hostpathClass: { enabled: true, basePath, isDefaultClass },
  deviceClass: { enabled: false },
  // It would tell its makers of every volume.
  analytics: { enabled: false },
});
