import type { Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { image, NODES, withSuffix, type Component, type ReleaseFile } from './component.ts';
import { componentVersions } from './versions.ts';

/** Returns the Kubernetes binaries and the images that kubeadm runs. */
export function kubernetes(cluster: Cluster): readonly Component[] {
  const { version, type } = cluster.kubernetes;
  const binary = (name: string, roles: readonly Role[]): Component => ({
    name,
    version,
    roles,
    folder: 'kubernetes',
    files: [releaseBinary(name)],
  });
  const controlPlane = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
  const proxy = hasKubeProxy(cluster) ? ['kube-proxy'] : [];
  const common = [binary('kubelet', NODES), binary('kubectl', NODES), ...dns(cluster)];
  switch (type) {
    case 'kubeadm':
      return [
        binary('kubeadm', NODES),
        ...common,
        ...controlPlane.map((name) => imageOf(name, version, ['master'])),
        ...proxy.map((name) => imageOf(name, version, NODES)),
      ];
    case 'kubexm':
      return [
        ...common,
        ...controlPlane.map((name) => binary(name, ['master'])),
        ...proxy.map((name) => binary(name, NODES)),
      ];
  }
}

const releaseBinary = (name: string): ReleaseFile => ({
  name,
  url: ({ tag, arch }) => `https://dl.k8s.io/release/${tag}/bin/linux/${arch}/${name}`,
  checksum: withSuffix('.sha256'),
  format: 'elf',
});

const imageOf = (name: string, version: string, roles: readonly Role[]): Component => ({
  name,
  version,
  roles,
  folder: 'kubernetes',
  images: [image(name, `registry.k8s.io/${name}`)],
});

const hasKubeProxy = ({ network: { plugin } }: Cluster) => !(plugin.type === 'cilium' && plugin.kubeProxyReplacement);

/** Returns CoreDNS, and NodeLocal DNSCache if it is enabled. */
function dns({ kubernetes: { version, nodelocaldns } }: Cluster): readonly Component[] {
  const { coredns, nodeCache } = componentVersions(version);
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
              {
                name: 'nodelocaldns',
                ref: ({ version }: { readonly version: string }) => `registry.k8s.io/dns/k8s-dns-node-cache:${version}`,
              },
            ],
          },
        ]
      : []),
  ];
}
