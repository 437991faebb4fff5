import type { Cluster } from '../../config/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';

/**
 * Runs a phase of kubeadm with the file that comes through standard input: tokens and keys stand in no file of the host.
 * A disk that is full is often no word of kubeadm's, so it is tried where kubeadm fails.
 */
export function kubeadmCommand(phase: 'init' | 'join', { etcd }: Cluster, flags: Command = sh``): Command {
  const dataDir = etcd.type === 'kubeadm' ? etcd.dataDir : '';
  const kubeadm = { text: `kubeadm ${phase}`, display: `kubeadm ${phase}` };
  return {
    text: sh`export PATH=/usr/local/bin:$PATH; ${kubeadm} --config /dev/stdin ${flags} || {
exit=$?
for at in /etc/kubernetes /var/lib/kubelet ${dataDir}; do
  [ ! -d "$at" ] || dd if=/dev/zero of="$at/.kubexm-room" bs=64k count=1 2>&1 | grep -i -e 'no space left' -e 'quota exceeded' >&2
  rm -f -- "$at/.kubexm-room"
done
exit $exit
}`.text,
    display: kubeadm.display,
  };
}
