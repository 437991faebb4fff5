import type { Cluster } from '../../config/model/cluster.ts';

/** The settings without which packets of Pods are not forwarded. */
export function forwardingSettings({ network }: Cluster): Readonly<Record<string, number>> {
  const hasIPv6 = [...network.podCidrs, ...network.serviceCidrs].some((cidr) => cidr.includes(':'));
  return { ...FORWARDING, ...(hasIPv6 && { 'net.ipv6.conf.all.forwarding': 1 }) };
}

const FORWARDING = {
  'net.ipv4.ip_forward': 1,
  'net.bridge.bridge-nf-call-iptables': 1,
  'net.bridge.bridge-nf-call-ip6tables': 1,
} as const;
