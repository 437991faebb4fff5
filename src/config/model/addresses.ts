import { expandCidr } from 'cidr-tools';
import type { Cluster } from './cluster.ts';

/** The URL of the Kubernetes API, such as "https://lb.kubexm.local:6443". */
export const endpointServer = ({ endpoint: { domain, port } }: Pick<Cluster, 'endpoint'>): string =>
  `https://${domain}:${port}`;

/** The addresses of the cluster DNS service: like kubeadm, the tenth address of each service network. */
export const dnsServiceAddresses = (cidrs: readonly string[]): readonly string[] =>
  cidrs.map((cidr) => addressAt(cidr, 10));

/** The address of NodeLocal DNSCache on every node. */
export const NODE_LOCAL_DNS = '169.254.25.10';

/** The DNS servers that Pods use. */
export const podDnsServers = ({ kubernetes, network }: Cluster): readonly string[] =>
  kubernetes.nodelocaldns ? [NODE_LOCAL_DNS] : dnsServiceAddresses(network.serviceCidrs);

/** The address at an offset from the network address. */
export function addressAt(cidr: string, offset: number): string {
  let at = 0;
  for (const address of expandCidr(cidr)) if (at++ === offset) return address;
  return cidr;
}

/** The CIDR of each address family; undefined if the cluster does not use that family. */
export const cidrsByFamily = (
  cidrs: readonly string[],
): { readonly ipv4: string | undefined; readonly ipv6: string | undefined } => ({
  ipv4: cidrs.find((cidr) => !cidr.includes(':')),
  ipv6: cidrs.find((cidr) => cidr.includes(':')),
});
