import { NETWORK_PLUGINS, type NetworkPlugin } from '../../config/model/network-plugins.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { minorOf } from '../../config/model/version.ts';
import { addonComponent } from './addon-recipes.ts';
import { chart, github, image, manifest, NODES, type Component } from './component.ts';

/** Returns the network plugin, and Multus if it is enabled. */
export const network = (cluster: Cluster): readonly Component[] => [
  ...pluginOf(cluster),
  ...(cluster.network.multus ? [addonComponent('multus')] : []),
];

function pluginOf({ kubernetes, network: { plugin } }: Cluster): readonly Component[] {
  const minor = minorOf(kubernetes.version);
  switch (plugin.type) {
    case 'calico':
      return [calico(plugin.version ?? compatibleVersion('calico', minor, calicoPatches), plugin.typha)];
    case 'flannel':
      return [flannel(plugin.version ?? '0.28.9'), flannelCni];
    case 'cilium':
      return [cilium(plugin.version ?? compatibleVersion('cilium', minor, ciliumPatches))];
    case 'kube-ovn':
      return [kubeOvn(plugin.version ?? compatibleVersion('kube-ovn', minor, kubeOvnPatches))];
    case 'none':
      return [];
  }
}

/**
 * Returns the oldest branch tested with this Kubernetes minor version, because newer branches drop old versions.
 * Returns the newest branch if none was tested.
 */
function compatibleVersion(
  plugin: NetworkPlugin['type'],
  minor: number,
  patches: Readonly<Record<string, string>>,
): string {
  const branches = Object.entries(NETWORK_PLUGINS[plugin].testedWith).filter(([branch]) => branch in patches);
  const branch = branches.find(([, newest]) => newest >= minor)?.[0] ?? Object.keys(patches).at(-1)!;
  return patches[branch]!;
}

/** One patch release for each branch, oldest branch first. */
const calicoPatches = { '3.28': '3.28.2', '3.29': '3.29.3', '3.30': '3.30.2', '3.31': '3.31.7', '3.32': '3.32.2' };
const ciliumPatches = { '1.17': '1.17.4', '1.18': '1.18.1', '1.19': '1.19.0', '1.20': '1.20.1' };
const kubeOvnPatches = { '1.13': '1.13.0', '1.15': '1.15.0' };

const calico = (version: string, typha: boolean): Component => ({
  name: 'calico',
  version,
  roles: NODES,
  folder: 'network/calico',
  files: [
    manifest('calico', ({ tag }) => {
      const name = typha ? 'calico-typha' : 'calico';
      return `https://github.com/projectcalico/calico/raw/${tag}/manifests/${name}.yaml`;
    }),
  ],
  images: ['cni', 'node', 'kube-controllers', ...(typha ? ['typha'] : [])].map((name) =>
    image(`calico-${name}`, `quay.io/calico/${name}`),
  ),
});

const flannel = (version: string): Component => ({
  name: 'flannel',
  version,
  roles: NODES,
  folder: 'network/flannel',
  files: [manifest('flannel', ({ tag }) => github('flannel-io/flannel', `${tag}/kube-flannel.yml`))],
  images: [image('flannel', 'ghcr.io/flannel-io/flannel')],
});

const flannelCni: Component = {
  name: 'flannel-cni-plugin',
  version: '1.8.0-flannel1',
  roles: NODES,
  folder: 'network/flannel',
  images: [image('flannel-cni-plugin', 'ghcr.io/flannel-io/flannel-cni-plugin')],
};

const cilium = (version: string): Component => ({
  name: 'cilium',
  version,
  roles: NODES,
  folder: 'network/cilium',
  files: [chart('cilium', ({ version }) => `https://helm.cilium.io/cilium-${version}.tgz`)],
  images: [image('cilium', 'quay.io/cilium/cilium'), image('cilium-operator', 'quay.io/cilium/operator-generic')],
});

const kubeOvn = (version: string): Component => ({
  name: 'kube-ovn',
  version,
  roles: NODES,
  folder: 'network/kube-ovn',
  files: [chart('kube-ovn', ({ tag }) => `https://kubeovn.github.io/kube-ovn/kube-ovn-${tag}.tgz`)],
  images: [image('kube-ovn', 'docker.io/kubeovn/kube-ovn')],
});
