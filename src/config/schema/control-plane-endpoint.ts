import { z } from 'zod';
import { choice, choiceOrNone, dnsName, flag, formatted, ipOrEmpty, port, whole } from './fields.ts';

const networkInterface = () => formatted('a network interface such as eth0', (name) => /^[A-Za-z0-9_.:-]{1,15}$/.test(name));

/** How kubelets, users and the masters themselves reach the API servers. */
export const controlPlaneEndpointSchema = z.strictObject({
  externalLoadBalancer: choiceOrNone(['kubexm-kh', 'kubexm-kn', 'external', 'kubexm'])
    .transform((type) => (type === 'kubexm' ? 'kubexm-kh' : type))
    .describe(
      'Load balancer outside the cluster nodes: kubexm-kh (keepalived + haproxy), kubexm-kn (keepalived + nginx), external (your own), or none. kubexm = kubexm-kh.',
    ),
  internalLoadbalancer: choiceOrNone(['haproxy', 'nginx', 'kube-vip']).describe(
    'Load balancer inside the cluster: haproxy or nginx on every worker, kube-vip on the masters, or none.',
  ),
  domain: dnsName().default('lb.kubexm.local').describe('Name of the API endpoint.'),
  lb_address: ipOrEmpty().default('').describe('Virtual IP of the load balancer.'),
  port: port().default(6443).describe('Port of the API endpoint.'),
  externalDNS: flag(false).describe('The domain is resolved by your DNS; then lb_address stays empty.'),
  keepalived: z
    .strictObject({
      vrid: whole(1, 255).default(51).describe('Virtual router id; one of its own on each network.'),
      interface: networkInterface().optional().describe('Interface that carries the virtual IP. Found by the route to the address if not given.'),
      unicast: flag(true).describe('Talk to the peers by unicast instead of multicast.'),
    })
    .prefault({})
    .describe('Settings of keepalived.'),
  kubevip: z
    .strictObject({
      mode: choice(['ARP', 'BGP']).default('ARP').describe('How kube-vip announces the address.'),
      interface: networkInterface().optional().describe('Interface that carries the virtual IP.'),
    })
    .prefault({})
    .describe('Settings of kube-vip.'),
});
