import type { Assets } from '../../resource/assets.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { NetworkPlugin } from '../../config/model/network-plugins.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import type { Manifest } from '../kubernetes-object/manifest.ts';
import { mapContainers, withData, type Container, type Patch } from '../kubernetes-object/patch.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { cidrsByFamily } from '../../config/model/addresses.ts';

type Flannel = Extract<NetworkPlugin, { readonly type: 'flannel' }>;

/** Installs Flannel. */
export const applyFlannel = (cluster: Cluster, plugin: Flannel, assets: Assets): Step =>
  defineStep({
    name: 'flannel.apply',
    summary: 'Install Flannel',
    parts: (view) => [
      applied({
        id: 'flannel',
        objects: catalogManifest(assets, 'flannel-manifest', view, flannelPatch(cluster, plugin)),
      }),
    ],
  });

/** Adapts the upstream manifests to the networks and addresses of the cluster. */
export const flannelPatch = ({ network: { podCidrs } }: Cluster, { backend }: Flannel): Patch => {
  const configured = (object: Manifest) =>
    withData(object, { 'net-conf.json': `${JSON.stringify(settings(podCidrs, backend), null, 2)}\n` });
  // Not in dual stack: with --iface, Flannel does not detect the address of the second family.
  const withInterface = (container: Container) =>
    container.name === 'kube-flannel' && podCidrs.length === 1 ? withHostAddress(container) : container;
  return (objects) =>
    objects.map((object) => (object.kind === 'ConfigMap' ? configured(object) : mapContainers(object, withInterface)));
};

/** Uses the node address that the kubelet reports; by default Flannel uses the interface of the default route. */
const withHostAddress = (container: Container): Container => ({
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
