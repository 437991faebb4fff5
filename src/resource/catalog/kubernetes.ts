import type { Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { beside, image, NODES, type Component, type ReleaseFile } from './component.ts';
import { companionsOf } from './versions.ts';

/** Kubernetes itself: its binaries, and the images that kubeadm runs. */
export function kubernetes(cluster: Cluster): readonly Component[] {
  const { version, type } = cluster.kubernetes;
  const binary = (name: string, roles: readonly Role[]): Component => ({
    name,
    version,
    roles,
    folder: 'kubernetes',
    files: [releaseBinary(name)],
  });
  const control = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
  const proxy = hasKubeProxy(cluster) ? ['kube-proxy'] : [];
  const common = [binary('kubelet', NODES), binary('kubectl', NODES), ...support(cluster)];
  switch (type) {
    case 'kubeadm':
      return [
        binary('kubeadm', NODES),
        ...common,
        ...control.map((name) => imageOf(name, version, ['master'])),
        ...proxy.map((name) => imageOf(name, version, NODES)),
      ];
    case 'kubexm':
      return [
        ...common,
        ...control.map((name) => binary(name, ['master'])),
        ...proxy.map((name) => binary(name, NODES)),
      ];
  }
}

const releaseBinary = (name: string): ReleaseFile => ({
  name,
  url: ({ v, a }) => `https://dl.k8s.io/release/${v}/bin/linux/${a}/${name}`,
  sum: beside('.sha256'),
  content: 'elf',
});

const imageOf = (name: string, version: string, roles: readonly Role[]): Component => ({
  name,
  version,
  roles,
  folder: 'kubernetes',
  images: [image(name, `registry.k8s.io/${name}`)],
});

const hasKubeProxy = ({ network: { plugin } }: Cluster) => !(plugin.type === 'cilium' && plugin.kubeProxyReplacement);

/** What every cluster runs beside it. */
function support({ kubernetes: { version, nodelocaldns } }: Cluster): readonly Component[] {
  const { coredns, nodeCache } = companionsOf(version);
  const base = { roles: NODES, folder: 'kubernetes' };
  return [
    {
      ...base,
      name: 'coredns',
      version: coredns,
      images: [image('coredns', 'registry.k8s.io/coredns/coredns')],
    },
    ...(nodelocaldns
      ? [
          {
            ...base,
            name: 'nodelocaldns',
            version: nodeCache,
            images: [
              { name: 'nodelocaldns', ref: ({ n }: { n: string }) => `registry.k8s.io/dns/k8s-dns-node-cache:${n}` },
            ],
          },
        ]
      : []),
  ];
}
