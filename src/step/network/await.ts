import { isNode } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Assets } from '../../resource/assets.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { catalogManifest } from '../kubernetes-object/catalog-manifest.ts';
import { rolledOut } from '../kubernetes-object/rolled-out.ts';

/** Waits until all Pods of a network plugin from a manifest are ready: nodes are already ready when its daemons start. */
export const awaitNetworkManifest = (
  name: 'calico' | 'flannel',
  title: string,
  cluster: Cluster,
  assets: Assets,
): Step => {
  // Daemons are restarted node by node.
  const timeoutMs = TEN_MINUTES + cluster.hosts.filter(isNode).length * PER_NODE;
  return defineStep({
    name: `${name}.await`,
    summary: `Wait until ${title} is ready`,
    timeoutMs: timeoutMs + 30_000,
    parts: (view) => [
      rolledOut({ name: title, objects: catalogManifest(assets, `${name}-manifest`, view), timeoutMs }),
    ],
  });
};

const TEN_MINUTES = 600_000;
const PER_NODE = 20_000;
