import type { Assets } from '../../resource/assets.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { NetworkPlugin } from '../../config/model/network-plugins.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import type { Manifest } from '../kubernetes-object/manifest.ts';
import { mapContainers, withData, type Container, type Patch } from '../kubernetes-object/patch.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { cidrsByFamily } from './cidrs-by-family.ts';

type Flannel = Extract<NetworkPlugin, { readonly type: 'flannel' }>;

/** Pods of all nodes reach each other by flannel. */
export const applyFlannel = (cluster: Cluster, plugin: Flannel, assets: Assets): Step =>
  defineStep({
    name: 'flannel.apply',
    summary: 'Let pods reach each other by flannel',
    parts: (view) => [
      applied({
        id: 'flannel',
        objects: catalogManifest(assets, 'flannel-manifest', view, flannelPatch(cluster, plugin)),
      }),
    ],
  });

/** The makers' objects with the networks and addresses of the cluster. */
export const flannelPatch = ({ network: { podCidrs } }: Cluster, { backend }: Flannel): Patch => {
  const settled = (object: Manifest) =>
    withData(object, { 'net-conf.json': `${JSON.stringify(settings(podCidrs, backend), null, 2)}\n` });
  // Told one address, it does not look for the one of the other kind.
  const found = (container: Container) =>
    container.name === 'kube-flannel' && podCidrs.length === 1 ? byOwnAddress(container) : container;
  return (objects) =>
    objects.map((object) => (object.kind === 'ConfigMap' ? settled(object) : mapContainers(object, found)));
};

/** Of several addresses of a host the one that the kubelet tells; without it flannel asks where the default route goes. */
const byOwnAddress = (container: Container): Container => ({
  ...container,
  args: [...(container.args ?? []), '--iface=$(HOST_IP)'],
  env: [...(container.env ?? []), { name: 'HOST_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }],
});

function settings(cidrs: readonly string[], backend: string): object {
  const { ipv4, ipv6 } = cidrsByFamily(cidrs);
  return {
    ...(ipv4 === undefined ? { EnableIPv4: false } : { Network: ipv4 }),
    ...(ipv6 !== undefined && { EnableIPv6: true, IPv6Network: ipv6 }),
    EnableNFTables: false,
    Backend: { Type: backend },
  };
}
