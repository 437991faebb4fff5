import { chain } from '../../../plan/fragment.ts';
import { controlPlaneSteps, nodeSteps, workerSteps } from '../../../step/kubernetes/binary/steps.ts';
import { firstMaster, workersOnly } from '../../nodes.ts';
import { defineTask } from '../../task.ts';
import type { KubePkiInput } from './generate-pki.ts';

/** All at once: their etcd is there already, and no API server changes it. */
export const joinBinaryMasters = defineTask<KubePkiInput>({
  name: 'join-masters',
  title: 'Start the control plane on the other masters',
  plan: ({ cluster, hosts }, { folder }) => {
    const options = { cluster, first: firstMaster(hosts), folder };
    const others = hosts.withRole('master').slice(1);
    return chain(others, [...controlPlaneSteps(cluster, folder), ...nodeSteps(options)]);
  },
});

export const joinBinaryWorkers = defineTask<KubePkiInput>({
  name: 'join-workers',
  title: 'Join the workers, all at once',
  plan: ({ cluster, hosts }, { folder }) =>
    chain(workersOnly(hosts), workerSteps({ cluster, first: firstMaster(hosts), folder })),
});
