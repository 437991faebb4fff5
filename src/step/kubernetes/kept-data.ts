import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import type { StepContext } from '../contract/part.ts';

/**
 * Whether there is data where kubeadm's etcd will have its own, and no control plane that could have made it: somebody
 * kept it there. Undoing a try must not take it away.
 */
export async function hasExistingEtcdData({ runner, host }: StepContext, { etcd }: Cluster): Promise<boolean> {
  if (etcd.type !== 'kubeadm' || !host.roles.includes('master')) return false;
  return runner.test(
    sh`[ ! -e /etc/kubernetes/manifests/etcd.yaml ] && [ ! -d /etc/kubernetes/pki/etcd ] && [ -n "$(ls -A ${etcd.dataDir} 2>/dev/null)" ]`,
  );
}
