import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of load balancers. */
export const loadBalancerErrors = {
  BALANCER_NOT_READY: entry(
    EXIT.command,
    { address: '10.0.0.100', port: 6443, reason: 'lb1 and lb2 both have it' },
    (p) => ({
      title: `The virtual address ${p.address} is not where it should be`,
      message: `It is to be on exactly one load balancer, and port ${p.port} is to answer there. What was found: ${p.reason}.`,
      hint: `Two that have it do not hear each other: let VRRP (protocol 112) through between them. On the load balancers: ip addr show to ${p.address}; journalctl -u keepalived -n 30`,
    }),
  ),
  BALANCER_INTERFACE_UNKNOWN: entry(EXIT.config, { host: 'lb1', address: '10.0.0.100' }, (p) => ({
    title: `${p.host} has no network for ${p.address}`,
    message: `None of its interfaces is in the network of ${p.address}, and none has its own internalAddress.`,
    hint: 'Name the interface in the file: controlPlaneEndpoint.keepalived.interface, or controlPlaneEndpoint.kubevip.interface. What there is: ip -brief addr',
  })),
};
