import { PLUGIN_DATA_DIRECTORIES } from '../../../config/model/network-plugins.ts';

/** Prints kind, name and owner, separated by tabs, of each remnant of a previous installation. `$etcd` is the etcd data directory. */
export const LEFTOVERS_SCRIPT = String.raw`tell() { printf '%s\t%s\t%s\n' "$1" "$2" "$3"; }
owner() {
  p=$(dpkg -S "$1" | sed -n '1s/: .*//p') && [ -n "$p" ] && { dpkg-query -W -f 'package ${'$'}{Package} ${'$'}{Version}\n' "$p"; return; }
  p=$(rpm -qf --qf 'package %{NAME} %{VERSION}' "$1") && { echo "$p"; return; }
  stat -c '%U, since %y' "$1" | cut -c 1-40 | sed 's/ [0-9:.]*$//'
}
for d in /etc/kubernetes /var/lib/kubelet $etcd /etc/cni/net.d /var/lib/cni ${PLUGIN_DATA_DIRECTORIES.join(' ')} /etc/etcd; do
  [ -n "$(ls -A "$d")" ] && tell folder "$d" "$(owner "$d")"
done
for c in kubelet kubeadm kube-apiserver etcd k3s rke2; do
  p=$(command -v $c) && tell program "$p" "$(owner "$p")"
done
units='kubelet kube-apiserver kube-controller-manager kube-scheduler kube-proxy etcd k3s k3s-agent rke2-server rke2-agent'
may 10 systemctl show -p Id -p FragmentPath $(printf '%s.service ' $units) |
  awk -v RS= '{ id = f = ""; for (i = 1; i <= NF; i++) { if ($i ~ /^Id=/) id = substr($i, 4); if ($i ~ /^FragmentPath=/) f = substr($i, 14) } if (f) print id, f }' |
  while read -r u f; do tell unit "$u" "$(owner "$f")"; done
for p in /proc/[0-9]*; do
  read -r n <$p/comm; case $n in kubelet|kube-apiserver|kube-controller|kube-scheduler|kube-proxy|etcd|k3s-server|k3s-agent) tell process "$n" "pid ${'$'}{p#/proc/}" ;; esac
done
n=$({ may 5 crictl ps -q || may 5 ctr -n k8s.io containers ls -q; } | grep -c .) && tell containers "$n containers of Kubernetes" 'the container runtime'
n=$(may 5 docker ps -q --filter name=k8s_ | grep -c .) && tell containers "$n containers of Kubernetes" docker
n=$(may 5 iptables-save | grep -c '^:KUBE-') && tell rules "$n iptables chains KUBE-*" kube-proxy
may 5 nft list tables | grep -q ' kube-proxy$' && tell rules 'the nft table kube-proxy' kube-proxy`;
