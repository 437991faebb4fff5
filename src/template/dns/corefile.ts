import type { Cluster } from '../../config/model/cluster.ts';
import { block, printBlocks, type Block } from './blocks.ts';
import { zoneBlock } from './zone.ts';

/** Whether the cluster file has DNS settings that kubeadm's Corefile lacks. */
export const customizesCoreDns = ({ dns: { coredns, dnsEtcHosts } }: Cluster): boolean =>
  coredns.additionalConfigs.trim() !== '' ||
  coredns.externalZones.length > 0 ||
  coredns.rewriteBlock.trim() !== '' ||
  coredns.upstreamDNSServers.length > 0 ||
  dnsEtcHosts.trim() !== '';

/** The Corefile: what kubeadm writes, and the settings from the cluster file. */
export const corefile = (cluster: Cluster): string =>
  printBlocks([...cluster.dns.coredns.externalZones.map((zone) => zoneBlock(zone)), rootServerBlock(cluster)]);

function rootServerBlock({ kubernetes: { dnsDomain }, dns: { coredns, dnsEtcHosts } }: Cluster): Block {
  const servers = coredns.upstreamDNSServers;
  const upstream = servers.length > 0 ? servers.map(address).join(' ') : '/etc/resolv.conf';
  return block('.:53', [
    'errors',
    block('health', ['lameduck 5s']),
    'ready',
    ...linesOf(coredns.rewriteBlock),
    ...linesOf(coredns.additionalConfigs),
    ...hosts(dnsEtcHosts),
    block(`kubernetes ${dnsDomain} in-addr.arpa ip6.arpa`, [
      'pods insecure',
      'fallthrough in-addr.arpa ip6.arpa',
      'ttl 30',
    ]),
    'prometheus :9153',
    block(`forward . ${upstream}`, ['max_concurrent 1000']),
    block('cache 30', [`disable success ${dnsDomain}`, `disable denial ${dnsDomain}`]),
    'loop',
    'reload',
    'loadbalance',
  ]);
}

/** IPv6 addresses need brackets before a port. */
const address = (server: string) => (server.includes(':') ? `[${server}]:53` : server);

/** Non-empty lines, unchanged except for trailing spaces. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');

function hosts(text: string): readonly Block[] {
  const lines = linesOf(text.replaceAll(/#.*/g, '')).map((line) => line.trim());
  return lines.length > 0 ? [block('hosts', [...lines, 'fallthrough'])] : [];
}
