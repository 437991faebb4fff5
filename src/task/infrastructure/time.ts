import { chain, empty, on, sequence } from '../../plan/fragment.ts';
import { isChronyUnchanged, timeService, timeSynced } from '../../step/os/time.ts';
import { undo } from '../../step/undo/undo.ts';
import { defineTask } from '../task.ts';

export const syncTime = defineTask({
  name: 'sync-time',
  title: 'Synchronize the time of all hosts',
  plan: ({ cluster, hosts }) => {
    const { time } = cluster.system;
    switch (time.type) {
      case 'none':
        return empty;
      case 'outside':
        return on(hosts.all, timeService(cluster));
      case 'in-cluster': {
        const servers = hosts.all.filter(({ name }) => name === time.host);
        const clients = hosts.all.filter(({ name }) => name !== time.host);
        return sequence(on(servers, timeService(cluster)), chain(clients, [timeService(cluster), timeSynced]));
      }
    }
  },
});

export const restoreTime = defineTask({
  name: 'restore-time',
  title: 'Restore time synchronization',
  plan: ({ cluster, hosts }) =>
    on(hosts.all, undo('time.chrony', 'Restore the time service', { isUnchanged: isChronyUnchanged(cluster) })),
});
