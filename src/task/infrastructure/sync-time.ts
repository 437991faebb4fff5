import { chain, empty, sequence } from '../../plan/fragment.ts';
import { timeService, timeSynced } from '../../step/os/time.ts';
import { defineTask } from '../task.ts';

export const syncTime = defineTask({
  name: 'sync-time',
  title: 'Give all hosts the same time',
  plan: ({ cluster, hosts }) => {
    const { time } = cluster.system;
    switch (time.type) {
      case 'none':
        return empty;
      case 'outside':
        return chain(hosts.all, [timeService(cluster)]);
      case 'in-cluster': {
        const isServer = ({ name }: { readonly name: string }) => name === time.host;
        return sequence(
          chain(hosts.all.filter(isServer), [timeService(cluster)]),
          chain(
            hosts.all.filter((host) => !isServer(host)),
            [timeService(cluster), timeSynced],
          ),
        );
      }
    }
  },
});
