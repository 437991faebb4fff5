import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors while removing hosts from a cluster. */
export const removalErrors = {
  QUORUM_AT_RISK: entry(
    EXIT.refused,
    { hosts: 'node2', removed: 1, voters: 2, healthy: 1, needed: 2, down: 'node3' },
    (p) => ({
      title: `Removing ${p.hosts} would lose the etcd quorum`,
      message: `After ${p.removed === 1 ? 'the first member' : `${p.removed} members`} etcd would have ${p.voters} voting members, of which ${p.healthy} would be healthy; it needs ${p.needed}.${p.down === '' ? '' : ` Not healthy now: ${p.down}.`} Nothing was changed, and --force does not override this.`,
      hint:
        p.down === ''
          ? 'Keep more members, or delete the whole cluster with: kubexm delete cluster -f FILE'
          : `Repair ${p.down} first, or remove it first: kubexm delete nodes -f FILE --nodes HOST --unreachable`,
    }),
  ),
  QUORUM_LOST: entry(
    EXIT.refused,
    { hosts: 'node2, node3', healthy: 'node1', down: 'node2, node3', needed: 2, member: 'node1' },
    (p) => ({
      title: 'etcd has no quorum, so no member can be removed',
      message: `Responding: ${p.healthy || 'none'}. Not responding: ${p.down || 'none'}. ${p.needed} members are needed for every change, also for removing ${p.hosts}. Nothing was changed, and --force does not override this.`,
      hint: `Start one of the hosts that do not respond; etcd then continues by itself. If they are lost for good, recover etcd from the data of ${p.member || 'a remaining member'} as described in docs/guide/recover-etcd.md, then repeat the command.`,
    }),
  ),
  LAST_MASTER: entry(EXIT.refused, { hosts: 'node1', others: 'node2' }, (p) => ({
    title: `${p.hosts} cannot be removed, because no running master would remain`,
    message: `${p.others === '' ? 'The cluster has no other master' : `The other masters do not respond: ${p.others}`}. Nothing was changed.`,
    hint:
      p.others === ''
        ? 'Add another master first (kubexm add nodes -f FILE --nodes ADDRESS --role master), or delete the cluster: kubexm delete cluster -f FILE'
        : 'Repair them first. Find the cause: kubexm health cluster -f FILE',
  })),
  LAST_WORKER: entry(EXIT.refused, { hosts: 'node4', pods: 'default/web-1, default/web-2', count: 2 }, (p) => ({
    title: `No other node accepts the Pods on ${p.hosts}`,
    message: `No remaining node accepts ${p.count === 1 ? 'this Pod' : `these ${p.count} Pods`}: ${p.pods}. Nothing was changed.`,
    hint: 'Add a worker first (kubexm add nodes -f FILE --nodes ADDRESS --role worker), or repeat the command with --force to leave the Pods pending.',
  })),
  REGISTRY_HOST_KEPT: entry(EXIT.refused, { host: 'node5' }, (p) => ({
    title: `${p.host} runs the image registry of the cluster`,
    message: 'Removing the host would delete the images that nodes pull. Nothing was changed.',
    hint: 'Move the registry first: delete it with kubexm delete registry -f FILE, change roleGroups.registry, and create it again with kubexm create registry -f FILE --push',
  })),
  HOST_UNRESPONSIVE: entry(EXIT.connection, { host: 'node4', reason: 'Could not connect to node4' }, (p) => ({
    title: `${p.host} does not respond, so it cannot be reset`,
    message: `${p.reason}. Nothing was changed.`,
    hint: `If the host is lost, remove it from the cluster without resetting it: kubexm delete nodes -f FILE --nodes ${p.host} --unreachable`,
  })),
  HOST_STILL_MEMBER: entry(EXIT.refused, { host: 'node4', as: 'a node' }, (p) => ({
    title: `${p.host} still belongs to the cluster`,
    message: `In the cluster, it is ${p.as}. --cleanup only resets hosts that were removed before. Nothing was changed.`,
    hint: `Remove it: kubexm delete nodes -f FILE --nodes ${p.host}`,
  })),
  HOST_NOT_REMOVED: entry(EXIT.usage, { host: 'node9', known: 'node4' }, (p) => ({
    title: `${p.host} is not a removed host that still has to be reset`,
    message: `${p.known === '' ? 'No removed host still has to be reset' : `Waiting: ${p.known}`}.`,
    hint: 'If the host was removed from another machine, run the command there, or reset the host manually: kubeadm reset -f',
  })),
  NODE_HELD: entry(EXIT.command, { host: 'node4', finalizers: 'example.com/backup', seconds: 120 }, (p) => ({
    title: `Node ${p.host} is not deleted because of a finalizer`,
    message: `The Node object still exists ${p.seconds} s after its deletion, because the finalizer ${p.finalizers} was not removed by the program that set it.`,
    hint: `Find out why that program does not remove the finalizer. If the program no longer exists: kubectl patch node ${p.host} --type=merge -p '{"metadata":{"finalizers":null}}', then repeat the command with --resume.`,
  })),
};
