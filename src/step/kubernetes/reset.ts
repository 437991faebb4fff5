import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/cluster.ts';
import { criSocket } from '../../config/cri-socket.ts';
import { sh, type Command } from '../../runner/command.ts';
import { KUBECTL_CACHE } from '../kubectl.ts';
import { hearing } from '../hearing.ts';
import type { StepContext } from '../step.ts';

/**
 * Takes Kubernetes off a host: what runs first, then what it leaves. What others wrote in the same places goes only where
 * its name says that it is of Kubernetes.
 */
export async function resetNode(
  ctx: Pick<StepContext, 'runner' | 'say' | 'signal' | 'host'>,
  cluster: Cluster,
  keepsData = false,
): Promise<void> {
  await ctx.runner.run(
    sh`PATH=/usr/local/bin:$PATH
${stop(cluster, ctx.host, keepsData)}
mounted() { sed -n 's|^[^ ]* \(/var/lib/kubelet/[^ ]*\) .*|\1|p' /proc/mounts | sort -r; }
mounted | while IFS= read -r at; do at=$(printf '%b' "$at"); umount -- "$at" || umount -l -- "$at"; done
[ -z "$(mounted)" ] || { echo "still mounted: $(mounted)" >&2; exit 1; }
rm -rf -- /etc/kubernetes/manifests /etc/kubernetes/pki /etc/kubernetes/tmp /etc/kubernetes/*.conf
find /var/lib/kubelet -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system -- {} + 2>/dev/null || true
for link in cni0 flannel.1 kube-ipvs0 nodelocaldns vxlan.calico cilium_host cilium_net cilium_vxlan ovn0 $(ls /sys/class/net | grep -E '^(cali[0-9a-f]{11}|lxc[0-9a-f]{12})$'); do ip link delete "$link" 2>/dev/null || true; done
nft list tables 2>/dev/null | grep -E ' kube-proxy$' | while read -r _ family name; do nft delete table "$family" "$name"; done
for tool in iptables ip6tables; do
  command -v "$tool-save" >/dev/null && "$tool-save" 2>/dev/null | grep -qE '^:(KUBE-|CNI-|FLANNEL-|cali-|CILIUM_)' || continue
  "$tool-save" | grep -vE 'KUBE-|CNI-|FLANNEL-|cali-|cali:|CILIUM_|kube-proxy|flanneld' | "$tool-restore"
done
systemctl stop kubepods.slice 2>/dev/null || true
rm -rf -- ${KUBECTL_CACHE}
rmdir /run/kubexm /etc/kubernetes 2>/dev/null || true`,
    hearing(ctx),
  );
}

/** Nothing of it runs any more. */
function stop(cluster: Cluster, { roles }: Host, keepsData: boolean): Command {
  switch (cluster.kubernetes.type) {
    case 'kubeadm': {
      // Where etcd is not its own kubeadm would empty /var/lib/etcd all the same, under a member that runs.
      const stacked = cluster.etcd.type === 'kubeadm' && roles.includes('master');
      const phases = stacked && !keepsData ? sh`` : sh`--skip-phases=remove-etcd-member`;
      return sh`if command -v kubeadm >/dev/null; then kubeadm reset -f --cri-socket ${criSocket(cluster)} ${phases} || true; fi
systemctl stop kubelet.service 2>/dev/null || true`;
    }
    case 'kubexm':
      return sh`for unit in kubelet kube-proxy kube-scheduler kube-controller-manager; do systemctl stop "$unit.service" 2>/dev/null || true; done
timeout 5 systemctl stop kube-apiserver.service 2>/dev/null || systemctl kill --signal=SIGKILL kube-apiserver.service 2>/dev/null || true
timeout 20 crictl pods -q 2>/dev/null | while read -r pod; do timeout 60 crictl stopp "$pod"; timeout 60 crictl rmp -f "$pod"; done || true
if [ -e /sys/class/net/kube-ipvs0 ] && command -v kube-proxy >/dev/null; then timeout 60 kube-proxy --cleanup || true; fi`;
  }
}
