import { newestKubernetesFor } from '../../config/data/compatibility.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { minorOf } from '../../config/model/version.ts';
import { addonComponent } from './addon-component.ts';
import { among, chart, github, image, manifest, NODES, type Component } from './component.ts';

/** The network plugin, and multus beside it. */
export const network = (cluster: Cluster): readonly Component[] => [
  ...pluginOf(cluster),
  ...(cluster.network.multus ? [addonComponent('multus')] : []),
];

function pluginOf({ kubernetes, network: { plugin } }: Cluster): readonly Component[] {
  const minor = minorOf(kubernetes.version);
  switch (plugin.type) {
    case 'calico':
      return [calico(plugin.version ?? suiting('calico', minor, calicoPatches), plugin.typha)];
    case 'flannel':
      return [flannel(plugin.version ?? '0.28.9'), flannelCni];
    case 'cilium':
      return [cilium(plugin.version ?? suiting('cilium', minor, ciliumPatches))];
    case 'kube-ovn':
      return [kubeOvn(plugin.version ?? suiting('kube-ovn', minor, kubeOvnPatches))];
    case 'none':
      return [];
  }
}

/** The oldest branch that was tested with the release: newer ones drop old releases. Beyond all tests, the newest. */
function suiting(plugin: string, minor: number, patches: Readonly<Record<string, string>>): string {
  const branches = Object.entries(newestKubernetesFor[plugin] ?? {}).filter(([branch]) => branch in patches);
  const branch = branches.find(([, newest]) => newest >= minor)?.[0] ?? Object.keys(patches).at(-1)!;
  return patches[branch]!;
}

/** A patch of each branch, the oldest branch first. */
const calicoPatches = { '3.28': '3.28.2', '3.29': '3.29.3', '3.30': '3.30.2', '3.31': '3.31.7', '3.32': '3.32.2' };
const ciliumPatches = { '1.17': '1.17.4', '1.18': '1.18.1', '1.19': '1.19.0', '1.20': '1.20.1' };
const kubeOvnPatches = { '1.13': '1.13.0', '1.15': '1.15.0' };

const calico = (version: string, typha: boolean): Component => ({
  name: 'calico',
  version,
  roles: NODES,
  folder: 'network/calico',
  files: [
    manifest('calico', ({ v }) => {
      const name = typha ? 'calico-typha' : 'calico';
      return `https://github.com/projectcalico/calico/raw/${v}/manifests/${name}.yaml`;
    }),
    {
      name: 'calicoctl',
      url: ({ v, a }) => github('projectcalico/calico', `${v}/calicoctl-linux-${a}`),
      sum: among('SHA256SUMS'),
      content: 'elf',
    },
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
  files: [manifest('flannel', ({ v }) => github('flannel-io/flannel', `${v}/kube-flannel.yml`))],
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
  files: [chart('cilium', ({ n }) => `https://helm.cilium.io/cilium-${n}.tgz`)],
  images: [image('cilium', 'quay.io/cilium/cilium'), image('cilium-operator', 'quay.io/cilium/operator-generic')],
});

const kubeOvn = (version: string): Component => ({
  name: 'kube-ovn',
  version,
  roles: NODES,
  folder: 'network/kube-ovn',
  files: [chart('kube-ovn', ({ v }) => `https://kubeovn.github.io/kube-ovn/kube-ovn-${v}.tgz`)],
  images: [image('kube-ovn', 'docker.io/kubeovn/kube-ovn')],
});
