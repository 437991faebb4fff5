import { expandCidr } from 'cidr-tools';
import type { Cluster } from './cluster.ts';

/** Returns the URL of the Kubernetes API, such as "https://lb.kubexm.local:6443". */
export const endpointServer = ({ endpoint: { domain, port } }: Pick<Cluster, 'endpoint'>): string =>
  `https://${domain}:${port}`;

/** Returns the cluster DNS addresses: the tenth address of each service network, as in kubeadm. */
export const dnsServiceAddresses = (cidrs: readonly string[]): readonly string[] =>
  cidrs.map((cidr) => addressAt(cidr, 10));

/** The address of NodeLocal DNSCache on every node. */
export const NODE_LOCAL_DNS = '169.254.25.10';

/** Returns the DNS servers that Pods use. */
export const podDnsServers = ({ kubernetes, network }: Cluster): readonly string[] =>
  kubernetes.nodelocaldns ? [NODE_LOCAL_DNS] : dnsServiceAddresses(network.serviceCidrs);

/** Returns the address at an offset from the network address. */
export function addressAt(cidr: string, offset: number): string {
  let at = 0;
  for (const address of expandCidr(cidr)) if (at++ === offset) return address;
  return cidr;
}

/** Returns the CIDR of each IP family, or undefined for a family that the cluster does not use. */
export const cidrsByFamily = (
  cidrs: readonly string[],
): { readonly ipv4: string | undefined; readonly ipv6: string | undefined } => ({
  ipv4: cidrs.find((cidr) => !cidr.includes(':')),
  ipv6: cidrs.find((cidr) => cidr.includes(':')),
});
