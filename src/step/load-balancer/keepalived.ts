import type { Cluster, Keepalived } from '../../config/model/cluster.ts';
import { apiCheckScript, runningCheckScript } from '../../template/load-balancer/health-check.ts';
import { backendsOf } from '../../template/load-balancer/backend.ts';
import { keepalivedConf } from '../../template/load-balancer/keepalived.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { file } from '../common/file.ts';
import type { StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { interfaceFor } from './vip-interface.ts';
import { LOAD_BALANCER, type Proxy } from './paths.ts';
import { reloadingService } from './reloading-service.ts';

/** A virtual IP that keepalived moves to a healthy load balancer. */
export interface VirtualIp {
  readonly address: string;
  readonly keepalived: Keepalived;
}

/** Runs keepalived, which shares the virtual IP with the other load balancers. */
export const serveKeepalived = (cluster: Cluster, proxy: Proxy, virtual: VirtualIp): Step =>
  defineStep({
    name: 'keepalived.serve',
    summary: `Configure and start keepalived for ${virtual.address}`,
    reversible: true,
    parts: (view) => partsOf(configOf(cluster, virtual, view), apiCheckOf(cluster, proxy)),
  });

/** From now on, the virtual IP leaves a load balancer that reaches no API server. */
export const followApiServers: Step = defineStep({
  name: 'keepalived.follow',
  summary: 'Let the virtual IP follow the API servers',
  reversible: true,
  parts: () => [file({ path: LOAD_BALANCER.hasControlPlane, content: '# Written by kubexm.\n' })],
});

const partsOf = (content: string, apiCheck: string) =>
  reloadingService({
    unit: 'keepalived.service',
    files: [
      file({ path: LOAD_BALANCER.check, content: runningCheckScript(), mode: 0o755 }),
      file({ path: LOAD_BALANCER.apiCheck, content: apiCheck, mode: 0o755 }),
      file({ path: LOAD_BALANCER.keepalived, content }),
    ],
    config: LOAD_BALANCER.keepalived,
  });

/** haproxy checks the API servers itself; nginx notices only failed connections. */
const apiCheckOf = (cluster: Cluster, proxy: Proxy) =>
  apiCheckScript({
    marker: LOAD_BALANCER.hasControlPlane,
    connectTo: proxy === 'nginx' ? backendsOf(cluster) : [],
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
    apiScript: LOAD_BALANCER.apiCheck,
  });
}

const HIGHEST_PRIORITY = 150;
