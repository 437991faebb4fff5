import { sh, type Command } from '../../runner/command.ts';

/**
 * Runs a phase of kubeadm with the file that comes through standard input: tokens and keys stand in no file of the host.
 * A disk that is full is often no word of kubeadm's, so it is looked for where kubeadm fails.
 */
export const kubeadmCommand = (phase: 'init' | 'join', flags: Command = sh``): Command => ({
  text: sh`PATH=/usr/local/bin:$PATH; kubeadm ${{ text: phase, display: phase }} --config /dev/stdin ${flags} || {
exit=$?
df -Pk /etc/kubernetes /var/lib/etcd /var/lib/kubelet 2>/dev/null | awk 'NR > 1 && $4 < 64 { print $6 ": no space left on device" }' | sort -u >&2
exit $exit
}`.text,
  display: `kubeadm ${phase}`,
});
