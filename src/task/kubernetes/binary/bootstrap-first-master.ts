import { chain } from '../../../plan/fragment.ts';
import { grantAccess } from '../../../step/kubernetes/binary/grant.ts';
import { controlPlaneSteps, nodeSteps } from '../../../step/kubernetes/binary/steps.ts';
import { firstMaster } from '../../nodes.ts';
import { defineTask } from '../../task.ts';
import type { KubePkiInput } from './generate-pki.ts';

export const bootstrapFirstBinaryMaster = defineTask<KubePkiInput>({
  name: 'bootstrap-first-master',
  title: 'Start the control plane on the first master',
  plan: ({ cluster, hosts }, { folder }) => {
    const first = firstMaster(hosts);
    return chain(first, [
      ...controlPlaneSteps(cluster, folder),
      grantAccess(cluster, folder),
      ...nodeSteps({ cluster, first, folder }),
    ]);
  },
});
