import type { Cluster } from '../../config/model/cluster.ts';
import { block, type Block } from './blocks.ts';

type Zone = Cluster['dns']['coredns']['externalZones'][number];

/** The server block of zones that are forwarded to other servers. */
export const zoneBlock = ({ zones, nameservers, cache, rewrite }: Zone, own: readonly string[] = []): Block =>
  block(zones.join(' '), [
    'errors',
    ...own,
    ...rewrite.map((rule) => `rewrite ${rule.replace(/^rewrite\s+/, '')}`),
    `forward . ${nameservers.join(' ')}`,
    `cache ${cache}`,
    'loop',
    'reload',
  ]);
