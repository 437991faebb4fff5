import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors from load balancers. */
export const loadBalancerErrors = {
  BALANCER_NOT_READY: entry(
    EXIT.command,
    { address: '10.0.0.100', port: 6443, reason: 'it is on lb1 and lb2' },
    (p) => ({
      title: `The virtual IP ${p.address} is not ready`,
      message: `Exactly one load balancer must hold it and accept connections on port ${p.port}. Found: ${p.reason}.`,
      hint: `If several load balancers hold it, allow VRRP (IP protocol 112) between them. On the load balancers: ip addr show to ${p.address}; journalctl -u keepalived -n 30`,
    }),
  ),
  BGP_PASSWORD: entry(EXIT.config, { field: 'controlPlaneEndpoint.kubevip.bgp.peers[0].password' }, (p) => ({
    title: 'A BGP password cannot be passed to kube-vip',
    message: `${p.field} contains a comma or a colon, which kube-vip uses as separators. Nothing was changed.`,
    hint: 'Set another password on the router and in the cluster file, then: kubexm validate cluster -f FILE',
  })),
  BALANCER_INTERFACE_UNKNOWN: entry(EXIT.config, { host: 'lb1', address: '10.0.0.100' }, (p) => ({
    title: `${p.host} has no network interface for the virtual IP ${p.address}`,
    message: `No interface is in the subnet of ${p.address}, and no interface has the internalAddress of the host.`,
    hint: 'Set controlPlaneEndpoint.keepalived.interface or controlPlaneEndpoint.kubevip.interface in the cluster file. List the interfaces: ip -brief addr',
  })),
};
