import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { checkOnly } from '../common/check-only.ts';
import { sh } from '../../runner/command.ts';
import type { StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { isRecordedNode } from './node-record.ts';

/** Fails, before anything is changed, if kubeadm would reject the data directory of an earlier etcd. */
export const refuseExistingEtcdData = (cluster: Cluster): Step =>
  defineStep({
    name: 'kubernetes.kept-data',
    summary: 'Check for existing etcd data',
    parts: ({ host }) => {
      const { etcd, kubernetes } = cluster;
      const ignored = kubernetes.ignorePreflightErrors.some((check) => IGNORES_DATA.test(check));
      if (etcd.type !== 'kubeadm' || !host.roles.includes('master') || ignored) return [];
      return [
        checkOnly('check:kept-data', `check that ${etcd.dataDir} is empty`, async (ctx) => {
          if ((await hasExistingEtcdData(ctx, cluster)) && !(await isRecordedNode(ctx)))
            throw fail('ETCD_DATA_KEPT', { host: host.name, path: etcd.dataDir });
        }),
      ];
    },
  });

const IGNORES_DATA = /^(all|DirAvailable-.*)$/i;

/** Whether the data directory of kubeadm's etcd has data without a control plane on the host; undo must not delete it. */
export async function hasExistingEtcdData({ runner, host }: StepContext, { etcd }: Cluster): Promise<boolean> {
  if (etcd.type !== 'kubeadm' || !host.roles.includes('master')) return false;
  return runner.test(
    sh`[ ! -e /etc/kubernetes/manifests/etcd.yaml ] && [ ! -d /etc/kubernetes/pki/etcd ] && [ -n "$(ls -A ${etcd.dataDir} 2>/dev/null)" ]`,
  );
}
