import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { criSocket } from '../../config/model/container-runtimes.ts';
import { sh, type Command } from '../../runner/command.ts';
import { KUBELET, SERVICES, unitFileOf } from '../../template/kubernetes/paths.ts';
import { shellWords } from '../contract/shell-words.ts';

/** Nothing of Kubernetes runs any more on a host; what is kept there is said along. */
export type StopNode = (cluster: Cluster, host: Host, keepsData: boolean) => Command;

/** By kubeadm, and services of ours: the file may have said another type when the host became a node. */
export const stopKubeadm: StopNode = (cluster, { roles }, keepsData) => {
  // Where etcd is not its own kubeadm would empty /var/lib/etcd all the same, under a member that runs.
  const stacked = cluster.etcd.type === 'kubeadm' && roles.includes('master');
  const phases = stacked && !keepsData ? sh`` : sh`--skip-phases=remove-etcd-member`;
  return sh`if command -v kubeadm >/dev/null; then kubeadm reset -f --cri-socket ${criSocket(cluster)} ${phases} || true; fi
systemctl stop ${KUBELET.unit} 2>/dev/null || true
for file in $(grep -lsx '# Written by kubexm.' ${shellWords(SERVICES.map(unitFileOf))}); do systemctl stop "$(basename "$file")" 2>/dev/null || true; done`;
};

/** By its services; an API server that takes its time has nothing to lose. */
export const stopServices: StopNode = () =>
  sh`for unit in kubelet kube-proxy kube-scheduler kube-controller-manager; do systemctl stop "$unit.service" 2>/dev/null || true; done
timeout 5 systemctl stop kube-apiserver.service 2>/dev/null || systemctl kill --signal=SIGKILL kube-apiserver.service 2>/dev/null || true
${STOP_PODS}
if [ -e /sys/class/net/kube-ipvs0 ] && command -v kube-proxy >/dev/null; then timeout 60 kube-proxy --cleanup || true; fi
systemctl reset-failed ${shellWords([KUBELET.unit, ...SERVICES.map((name) => `${name}.service`)])} 2>/dev/null || true`;

/** Pods that nobody starts again. */
export const STOP_PODS = sh`timeout 20 crictl pods -q 2>/dev/null | while read -r pod; do timeout 60 crictl stopp "$pod"; timeout 60 crictl rmp -f "$pod"; done || true`;
