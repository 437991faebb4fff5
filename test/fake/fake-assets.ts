import type { Family } from '../../src/common/component-family.ts';
import type { Cluster } from '../../src/config/model/cluster.ts';
import type { Assets } from '../../src/resource/assets.ts';
import { catalogOf } from '../../src/resource/catalog/cluster-artifacts.ts';

/** The assets of a cluster of amd64 hosts; nothing is downloaded. */
export function fakeAssets(cluster: Cluster, families?: readonly Family[]): Assets {
  const { files, images } = catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, 'amd64'])), families);
  return {
    files,
    images,
    downloads: { files, images },
    artifacts: cluster.artifacts,
    credentials: {},
    folder: '/nonexistent',
    offline: true,
  };
}
