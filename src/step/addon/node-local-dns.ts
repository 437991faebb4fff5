import type { ImageItem } from '../../resource/item.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { nodeLocalDns } from '../../template/dns/node-local.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { rolledOut } from '../kubernetes-object/rolled-out.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Installs NodeLocal DNSCache on every node; runs on a master. */
export function applyNodeLocalDns(cluster: Cluster, images: readonly ImageItem[]): Step {
  const image = images.find(({ name }) => name === 'nodelocaldns');
  const objects = () => Promise.resolve(image && nodeLocalDns(cluster, image.ref));
  return defineStep({
    name: 'nodelocaldns.install',
    summary: 'Install NodeLocal DNSCache',
    timeoutMs: TEN_MINUTES,
    parts: () => [
      applied({ id: 'NodeLocalDNS', objects }),
      rolledOut({ name: 'NodeLocalDNS', objects, timeoutMs: TEN_MINUTES - 30_000 }),
    ],
  });
}

const TEN_MINUTES = 600_000;
