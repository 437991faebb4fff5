import { storageAddons } from '../../config/model/addons.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { AddonName } from '../../config/data/addons.ts';
import type { Assets } from '../../resource/assets.ts';
import type { Patch } from '../kubernetes-object/patch.ts';
import { localPathPatch } from './local-path.ts';
import { metricsServerPatch } from './metrics-server.ts';

/** The installation method of a catalog addon. */
export type AddonRecipe =
  | { readonly type: 'manifest'; readonly patch: Patch }
  | { readonly type: 'chart'; readonly namespace: string; readonly values: object };

/** The recipe of a catalog addon for this cluster; undefined if it is not supported yet. */
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
    // LoadBalancer services stay pending unless the user has installed a load balancer controller.
    service: { type: 'NodePort' },
    // References by tag: the digests differ in a private registry.
    image: { digest: '' },
    admissionWebhooks: { patch: { image: { digest: '' } } },
  },
};

const openEbsValues = (basePath: string, isDefaultClass: boolean) => ({
  localpv: { basePath },
  hostpathClass: { enabled: true, basePath, isDefaultClass },
  deviceClass: { enabled: false },
  // Would send usage data to the vendor.
  analytics: { enabled: false },
});
