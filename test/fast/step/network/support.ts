import { readFileSync } from 'node:fs';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import type { NetworkPlugin } from '../../../../src/config/model/network-plugins.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { parseManifests } from '../../../../src/step/kubernetes-object/manifest.ts';
import type { Patch } from '../../../../src/step/kubernetes-object/patch.ts';
import { pinImages } from '../../../../src/step/kubernetes-object/pinned-images.ts';
import { yamlDocuments } from '../../../../src/template/yaml-documents.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';

export const load = (...overrides: readonly string[]): Promise<Cluster> =>
  loadCluster('test/fixtures/kubeadm.yaml', { overrides });

/** Overrides for dual stack. */
export const DUAL = [
  ...[1, 2, 3, 4].map((number) => `hosts.node${number}.internalAddress=10.0.0.${number},fd00::${number}`),
  'network.kubePodsCIDR=10.233.64.0/18,fd85::/104',
  'network.kubeServiceCIDR=10.233.0.0/18,fd86::/112',
];

/** The network plugin of a cluster. Throws if it is of another type. */
export function pluginOf<T extends NetworkPlugin['type']>({ network }: Cluster, type: T) {
  const { plugin } = network;
  if (!isOf(plugin, type)) throw new Error(`the network plugin is ${plugin.type}`);
  return plugin;
}

const isOf = <T extends NetworkPlugin['type']>(
  plugin: NetworkPlugin,
  type: T,
): plugin is Extract<NetworkPlugin, { readonly type: T }> => plugin.type === type;

/** An upstream manifest as it would be applied. */
export function patched(name: string, cluster: Cluster, patch: Patch): string {
  const objects = parseManifests(readFileSync(`test/fixtures/manifests/${name}.yaml`, 'utf8'), name);
  return yamlDocuments([...patch(pinImages(fakeAssets(cluster).images)(objects))]);
}
