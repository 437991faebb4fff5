import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors about which hosts belong to a cluster. */
export const membershipErrors = {
  NODE_NAME_IN_USE: entry(EXIT.refused, { host: 'node4', address: '10.0.0.14', other: '10.0.0.9' }, (p) => ({
    title: `The cluster already has a node named ${p.host}`,
    message: `Its address is ${p.other}, but the cluster file has ${p.address}. A second node with this name would replace the existing node. Nothing was changed.`,
    hint: `Choose another name in the cluster file, or remove the existing node first: kubexm delete nodes -f FILE --nodes ${p.host}`,
  })),
  NODE_ADDRESS_IN_USE: entry(EXIT.refused, { host: 'node4', address: '10.0.0.14', other: 'node3' }, (p) => ({
    title: `The address of ${p.host} belongs to ${p.other}`,
    message: `${p.other} has the address ${p.address} in the cluster. Nothing was changed.`,
    hint: `Correct the address of ${p.host} in the cluster file, or remove the existing node first: kubexm delete nodes -f FILE --nodes ${p.other}`,
  })),
  NODE_ROLE_FIXED: entry(EXIT.refused, { host: 'node4', role: 'master' }, (p) => ({
    title: `${p.host} is already a node and cannot become a ${p.role}`,
    message: `The role of a node cannot be changed while it is part of the cluster. Nothing was changed.`,
    hint: `Remove the node, then add it again as ${p.role}: kubexm delete nodes -f FILE --nodes ${p.host}`,
  })),
  NODE_OF_ANOTHER_CLUSTER: entry(EXIT.refused, { host: 'node4', path: '/etc/kubernetes/kubelet.conf' }, (p) => ({
    title: `${p.host} is a node of another cluster`,
    message: `${p.path} exists and was not created by this cluster. Joining would reset the node. Nothing was changed.`,
    hint: `If the node is no longer needed, remove it from its cluster and reset it: kubeadm reset -f`,
  })),
  JOIN_INCOMPLETE: entry(EXIT.command, { hosts: 'node3' }, (p) => ({
    title: `${p.hosts} stopped responding before joining the cluster`,
    message: `Its Node object and its etcd member were removed, and load balancers do not use it.`,
    hint: 'Repair the host, then repeat the command with --resume; or remove the host from the cluster file.',
  })),
  ETCD_MEMBERS_CHANGED: entry(
    EXIT.plan,
    { members: 'node1 10.0.0.11', wanted: 'node1 10.0.0.11, node2 10.0.0.12' },
    (p) => ({
      title: 'The etcd members in the cluster file differ from the members of the cluster',
      message: `Members of the cluster: ${p.members}. Members according to the cluster file: ${p.wanted}. This command does not add or remove etcd members. No host was changed.`,
      hint: 'Add the new members: kubexm add nodes -f FILE. To remove members, restore roleGroups.etcd first, then: kubexm delete nodes -f FILE --nodes NAME',
    }),
  ),
  ETCD_MEMBERS_UNKNOWN: entry(EXIT.command, { reasons: 'node1: etcd is not running' }, (p) => ({
    title: 'No etcd member listed the members of the cluster',
    message: `Without a quorum, etcd does not accept changes. ${p.reasons}. Nothing was changed.`,
    hint: 'Find the cause: kubexm health cluster -f FILE',
  })),
};
