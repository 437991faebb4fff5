import { fail } from '../../common/errors/errors.ts';
import { checkOnly } from '../common/check-only.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Fails, before anything is changed, on a node that another cluster or another tool created. */
export const refuseForeignNode: Step = defineStep({
  name: 'kubernetes.foreign-node',
  summary: 'Check that the host is not a node of another cluster',
  parts: () => [
    checkOnly('check:foreign-node', `check for ${KUBELET_CONF}`, async ({ runner, host, originDir }) => {
      const [joined, own] = await Promise.all([runner.stat(KUBELET_CONF), runner.stat(originDir)]);
      if (joined && !own) throw fail('NODE_OF_ANOTHER_CLUSTER', { host: host.name, path: KUBELET_CONF });
    }),
  ],
});

const KUBELET_CONF = '/etc/kubernetes/kubelet.conf';
