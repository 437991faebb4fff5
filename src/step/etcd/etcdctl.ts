import { sh, type Command } from '../../runner/command.ts';
import type { Etcd } from '../../config/model/cluster.ts';
import { ETCD, ETCD_CLIENT } from '../../template/etcd/access.ts';
import { adminCertificate, pathsOnHost } from './certificates.ts';

/** An etcd whose members run on hosts of the cluster. */
export type MemberEtcd = Exclude<Etcd['type'], 'external'>;

/** An etcdctl command on the host of a member; it connects to that member. */
export function etcdctl(etcd: MemberEtcd, host: string, args: Command): Command {
  const { text } = sh`${programOf(etcd, host)} --endpoints https://127.0.0.1:2379 --command-timeout 10s ${args}`;
  return { text, display: `etcdctl ${args.display}` };
}

/** Sets `$ctl` if needed and returns the program with its credentials. */
function programOf(etcd: MemberEtcd, host: string): Command {
  switch (etcd) {
    case 'kubexm': {
      const { certificate, key } = pathsOnHost(adminCertificate(host));
      return sh`timeout 20 ${ETCD.programs}/etcdctl --cacert ${ETCD_CLIENT.ca} --cert ${certificate} --key ${key}`;
    }
    case 'kubeadm':
      return sh`${findStacked(host)}; timeout 20 "$ctl" --cacert ${STACKED}/ca.crt --cert ${STACKED}/healthcheck-client.crt --key ${STACKED}/healthcheck-client.key`;
  }
}

const STACKED = '/etc/kubernetes/pki/etcd';

/**
 * Sets `$ctl` to the program in the image of the running static Pod, which is statically linked. The host itself has no
 * etcdctl, and `crictl exec` would depend on the container runtime. The process must belong to the Pod: any container can
 * run a process of this name, and its program would run as root here.
 */
const findStacked = (host: string): Command => ({
  text: sh`ctl=; for log in /var/log/pods/kube-system_etcd-${host}_*; do
  pod=pod$(echo "$log" | sed 's/.*_//')
  for pid in $(pgrep -x etcd); do
    tr _ - <"/proc/$pid/cgroup" 2>/dev/null | grep -q "$pod[./]" && [ -x "/proc/$pid/root/usr/local/bin/etcdctl" ] && ctl=/proc/$pid/root/usr/local/bin/etcdctl
  done
done
[ -n "$ctl" ] || { echo 'etcd is not running' >&2; exit 127; }`.text,
  display: '',
});
