import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { criSocket } from '../../config/model/container-runtimes.ts';
import { sh, shellWords, type Command } from '../../runner/command.ts';
import { removeAddress } from '../common/absent-address.ts';
import { removePodRoutes } from './pod-network.ts';
import { KUBELET, SERVICES, unitFileOf } from '../../template/kubernetes/paths.ts';

/** Returns the command that stops all Kubernetes components on a host. With `keepsEtcd`, kubeadm leaves a stacked etcd alone. */
export type StopNode = (cluster: Cluster, host: Host, keepsEtcd: boolean) => Command;

/** Runs kubeadm reset, and stops services in case the host was created in binary mode. */
export const stopKubeadm: StopNode = (cluster, { roles }, keepsEtcd) => {
  // kubeadm would empty /var/lib/etcd even if it belongs to a running etcd that kubeadm does not manage.
  const stacked = cluster.etcd.type === 'kubeadm' && roles.includes('master');
  const phases = stacked && !keepsEtcd ? sh`` : sh`--skip-phases=remove-etcd-member`;
  return sh`if command -v kubeadm >/dev/null; then kubeadm reset -f --cri-socket ${criSocket(cluster)} ${phases} || true; fi
systemctl stop ${KUBELET.unit} 2>/dev/null || true
for file in $(grep -lsx '# Written by kubexm.' ${shellWords(SERVICES.map(unitFileOf))}); do systemctl stop "$(basename "$file")" 2>/dev/null || true; done
${releaseVip(cluster)}
${removePodRoutes(cluster)}`;
};

/** kube-vip is killed with its Pod and leaves the virtual IP on the host, which then connects to itself instead of the next leader. */
const releaseVip = ({ endpoint: { internal } }: Cluster): Command =>
  internal.type === 'kube-vip' ? removeAddress(internal.address) : sh``;

/**
 * Stops the services of binary mode. Pods are removed first, because network plugins call the API server to release addresses.
 * The API server is stateless, so it is killed if it does not stop quickly.
 */
export const stopServices: StopNode = (cluster) =>
  sh`systemctl stop kubelet.service 2>/dev/null || true
${STOP_PODS}
for unit in kube-proxy kube-scheduler kube-controller-manager; do systemctl stop "$unit.service" 2>/dev/null || true; done
timeout 5 systemctl stop kube-apiserver.service 2>/dev/null || systemctl kill --signal=SIGKILL kube-apiserver.service 2>/dev/null || true
if [ -e /sys/class/net/kube-ipvs0 ] && command -v kube-proxy >/dev/null; then timeout 60 kube-proxy --cleanup || true; fi
systemctl reset-failed ${shellWords([KUBELET.unit, ...SERVICES.map((name) => `${name}.service`)])} 2>/dev/null || true
${removePodRoutes(cluster)}`;

/** Removes all Pods; the kubelet must be stopped, so that it does not start them again. */
export const STOP_PODS = sh`timeout 20 crictl pods -q 2>/dev/null | xargs -r -n 1 -P 8 sh -c 'timeout 60 crictl stopp "$0"; timeout 60 crictl rmp -f "$0"' || true`;
