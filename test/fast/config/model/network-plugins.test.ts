import { expect, it } from 'vitest';
import { CLUSTER_LINKS, isClusterLink, NETWORK_PLUGINS } from '../../../../src/config/model/network-plugins.ts';

const deleted = new RegExp(`^(${CLUSTER_LINKS})$`);

it('names the interfaces of every network plugin', () => {
  const names = [
    'cni0',
    'kube-ipvs0',
    'nodelocaldns',
    'cali0123456789a',
    'vxlan.calico',
    'vxlan-v6.calico',
    'flannel.1',
  ];
  const others = ['flannel-v6.1', 'flannel-wg', 'cilium_host', 'cilium_net', 'cilium_vxlan', 'lxc0123456789ab'];
  expect([...names, ...others].filter((name) => !deleted.test(name))).toEqual([]);
  expect(['eth0', 'docker0', 'calico', 'lxcbr0', 'br-flannel.1'].filter(isClusterLink)).toEqual([]);
});

// A reset node must not have any of the others left, or `delete cluster` would fail.
it.each(['tunl0', 'ovn0', 'cilium_tunl', 'cilium_ip6tnl'])('does not expect that %s can be deleted', (name) => {
  expect(isClusterLink(name)).toBe(true);
  expect(deleted.test(name)).toBe(false);
  expect(Object.values(NETWORK_PLUGINS).some(({ kernelLinks }) => kernelLinks.includes(name))).toBe(true);
});
