import { expandCidr } from 'cidr-tools';

/** The DNS server has the tenth address of the services, in each family, as kubeadm gives it. */
export const dnsServiceAddresses = (cidrs: readonly string[]): readonly string[] =>
  cidrs.map((cidr) => addressAt(cidr, 10));

/** The address at a place of a network, counted from the address of the network itself. */
export function addressAt(cidr: string, place: number): string {
  let at = 0;
  for (const address of expandCidr(cidr)) if (at++ === place) return address;
  return cidr;
}
