import { z } from 'zod';
import { EXTERNAL_LOAD_BALANCERS, INTERNAL_LOAD_BALANCERS } from '../data/choices.ts';
import { choice, choiceOrNone, dnsName, flag, formatted, ip, ipOrEmpty, port, secret, whole } from './fields.ts';

const networkInterface = () =>
  formatted('a network interface such as eth0', (name) => /^[A-Za-z0-9_.:-]{1,15}$/.test(name));

const asNumber = () => whole(1, 4_294_967_295);

/** Returns the schema for the routers to which the masters announce the virtual IP. */
const bgp = () =>
  z.strictObject({
    localAS: asNumber().describe('AS number of the masters.'),
    peers: z
      .array(
        z.strictObject({
          address: ip().describe('Address of the router.'),
          as: asNumber().describe('AS number of the router.'),
          password: secret()
            .optional()
            .describe(
              'TCP MD5 password for the BGP session, without commas and colons. Users who can read Pods in kube-system can see it.',
            ),
          multiHop: flag(false).describe('Whether the router is outside the subnet of the masters (multihop).'),
        }),
      )
      .min(1, { error: 'must have at least one router' })
      .describe('Routers to which every master connects.'),
  });

/** The endpoint through which nodes and users reach the API servers. */
export const controlPlaneEndpointSchema = z.strictObject({
  externalLoadBalancer: choiceOrNone([...EXTERNAL_LOAD_BALANCERS, 'kubexm'])
    .transform((type) => (type === 'kubexm' ? 'kubexm-kh' : type))
    .describe(
      'External load balancer: kubexm-kh (keepalived and haproxy) or kubexm-kn (keepalived and nginx) on the loadbalancer hosts, external (not managed by kubexm), or empty for none. kubexm is an alias for kubexm-kh.',
    ),
  internalLoadbalancer: choiceOrNone(INTERNAL_LOAD_BALANCERS).describe(
    'Internal load balancer: haproxy or nginx on every worker, kube-vip on the masters, or empty for none.',
  ),
  domain: dnsName().default('lb.kubexm.local').describe('DNS name of the API endpoint.'),
  lb_address: ipOrEmpty().default('').describe('Virtual IP, or address of the external load balancer.'),
  port: port().default(6443).describe('Port of the API endpoint.'),
  externalDNS: flag(false).describe(
    'Whether an external DNS server resolves the domain. If true, lb_address must be empty.',
  ),
  keepalived: z
    .strictObject({
      vrid: whole(1, 255).default(51).describe('Virtual router ID; must be unique in the network.'),
      interface: networkInterface()
        .optional()
        .describe('Network interface for the virtual IP. Defaults to the interface with a route to the virtual IP.'),
      unicast: flag(true).describe('Use unicast instead of multicast between the load balancers.'),
    })
    .prefault({})
    .describe('keepalived settings.'),
  kubevip: z
    .strictObject({
      mode: choice(['ARP', 'BGP']).default('ARP').describe('How kube-vip announces the virtual IP.'),
      interface: networkInterface().optional().describe('Network interface for the virtual IP.'),
      bgp: bgp().optional().describe('BGP settings; required for the mode BGP.'),
    })
    .prefault({})
    .describe('kube-vip settings.'),
});
