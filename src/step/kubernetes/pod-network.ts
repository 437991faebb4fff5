import type { Cluster } from '../../config/model/cluster.ts';
import {
  CLUSTER_IPSETS,
  CLUSTER_LINKS,
  CLUSTER_ROUTE_PROTOCOLS,
  KERNEL_LINKS,
} from '../../config/model/network-plugins.ts';
import { sh, shellWords, type Command } from '../../runner/command.ts';

/** Prints interfaces, routes and ipsets of network plugins. */
export const listPodNetwork = ({ network }: Cluster): Command => sh`${routesFunction(network.podCidrs)}
ls /sys/class/net | grep -E ${`^(${CLUSTER_LINKS})$`} | sed 's/^/interface /'
routes | sed 's/^-. /route /'
${LIST_IPSETS} | sed 's/^/ipset /'`;

/**
 * Removes routes in the pod network that do not disappear with an interface of the plugin: blackhole routes, and routes to other
 * nodes. Tunnel interfaces of the kernel stay, without their addresses in the pod network.
 */
export const removePodRoutes = ({ network }: Cluster): Command => sh`${routesFunction(network.podCidrs)}
routes | while read -r family route; do ip "$family" route delete $route 2>/dev/null || true; done
for network in ${shellWords(network.podCidrs)}; do
  for link in ${shellWords(KERNEL_LINKS)}; do
    ip -o addr show dev "$link" to "$network" 2>/dev/null | while read -r _ _ _ address _; do
      ip addr delete "$address" dev "$link" && ip link set "$link" down
    done
  done
done`;

const LIST_IPSETS: Command = sh`ipset list -n 2>/dev/null | grep -E ${`^(${CLUSTER_IPSETS})`}`;

/** Requires that no packet filter rule refers to the sets any more. */
export const REMOVE_IPSETS: Command = sh`${LIST_IPSETS} | while read -r set; do ipset destroy "$set" || true; done`;

/**
 * Defines the shell function `routes`, which prints the routes as arguments of `ip`. Routes of the kernel are left out: they
 * belong to the addresses of an interface.
 */
function routesFunction(podCidrs: readonly string[]): Command {
  const lists = ['-4', '-6'].flatMap((family) => [
    ...CLUSTER_ROUTE_PROTOCOLS.map((protocol) => show(family, sh`proto ${protocol}`)),
    ...podCidrs
      .filter((cidr) => cidr.includes(':') === (family === '-6'))
      .map((cidr) => show(family, sh`root ${cidr}`)),
  ]);
  const text = `routes() { {
${lists.join('\n')}
} | sort -u; }`;
  return { text, display: 'list the routes of Pods' };
}

const show = (family: string, selector: Command): string =>
  sh`ip ${family} route show table all ${selector} 2>/dev/null | awk -v family=${family} ${AS_ARGUMENTS}`.text;

/** Keeps the words that identify a route; `ip route delete` does not accept all others. */
const AS_ARGUMENTS = `/proto kernel/ { next }
{ out = $1; i = 2; if ($1 ~ /^(blackhole|unreachable|prohibit|throw)$/) { out = $1 " " $2; i = 3 }
  for (; i < NF; i++) if ($i ~ /^(via|dev|proto|metric|table)$/) { out = out " " $i " " $(i + 1); i++ }
  print family, out }`;
