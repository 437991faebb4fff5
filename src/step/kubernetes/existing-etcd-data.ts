import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { checkOnly } from '../common/check-only.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { hasExistingEtcdData } from './kept-data.ts';
import { isRecordedNode } from './node-record.ts';

/** Ends a run before anything is changed where kubeadm would stop at the data of an earlier etcd. */
export const refuseExistingEtcdData = (cluster: Cluster): Step =>
  defineStep({
    name: 'kubernetes.kept-data',
    summary: 'See that no data of an earlier cluster is in the way',
    parts: ({ host }) => {
      const { etcd, kubernetes } = cluster;
      const minds = !kubernetes.ignorePreflightErrors.some((check) => IGNORES.test(check));
      if (etcd.type !== 'kubeadm' || !host.roles.includes('master') || !minds) return [];
      return [
        checkOnly(`check:kept-data`, `look for data in ${etcd.dataDir}`, async (ctx) => {
          if ((await hasExistingEtcdData(ctx, cluster)) && !(await isRecordedNode(ctx)))
            throw fail('ETCD_DATA_KEPT', { host: host.name, path: etcd.dataDir });
        }),
      ];
    },
  });

const IGNORES = /^(all|DirAvailable-.*)$/i;
