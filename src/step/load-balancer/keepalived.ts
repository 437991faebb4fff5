import type { Cluster, Keepalived } from '../../config/model/cluster.ts';
import { healthCheckScript } from '../../template/load-balancer/health-check.ts';
import { keepalivedConf } from '../../template/load-balancer/keepalived.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { file } from '../common/file.ts';
import type { StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { interfaceFor } from './vip-interface.ts';
import { LOAD_BALANCER } from './paths.ts';
import { reloadingService } from './reloading-service.ts';

/** A virtual IP that keepalived moves to a healthy load balancer. */
export interface VirtualIp {
  readonly address: string;
  readonly keepalived: Keepalived;
}

/** Runs keepalived, which shares the virtual IP with the other load balancers. */
export const serveKeepalived = (cluster: Cluster, virtual: VirtualIp): Step =>
  defineStep({
    name: 'keepalived.serve',
    summary: `Configure and start keepalived for ${virtual.address}`,
    reversible: true,
    parts: (view) => partsOf(configOf(cluster, virtual, view)),
  });

const partsOf = (content: string) =>
  reloadingService({
    unit: 'keepalived.service',
    files: [
      file({ path: LOAD_BALANCER.check, content: healthCheckScript(), mode: 0o755 }),
      file({ path: LOAD_BALANCER.keepalived, content }),
    ],
    config: LOAD_BALANCER.keepalived,
  });

function configOf(cluster: Cluster, { address, keepalived }: VirtualIp, view: StepView): string {
  const all = cluster.hosts.filter(({ roles }) => roles.includes('loadbalancer'));
  const own = clusterHost(cluster, view.host);
  const [ownAddress] = own.internalAddresses;
  return keepalivedConf({
    name: own.name,
    address: ownAddress,
    peers: all.filter((host) => host !== own).map(({ internalAddresses: [first] }) => first),
    interface: keepalived.interface ?? interfaceFor(view, address, ownAddress),
    virtualIp: address,
    routerId: keepalived.vrid,
    priority: HIGHEST_PRIORITY - all.indexOf(own),
    unicast: keepalived.unicast && all.length > 1,
    checkScript: LOAD_BALANCER.check,
  });
}

const HIGHEST_PRIORITY = 150;
