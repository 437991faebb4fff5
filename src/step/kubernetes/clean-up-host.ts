import {
  CLUSTER_CHAINS,
  CLUSTER_CNI_FILES,
  CLUSTER_LINKS,
  CLUSTER_NFT_TABLES,
  CLUSTER_RULE_MARKS,
} from '../../config/model/network-plugins.ts';
import { sh, shellWords, type Command } from '../../runner/command.ts';
import { unmountBelow } from '../common/unmount.ts';
import { KUBECTL_CACHE } from '../kubernetes-object/kubectl.ts';
import { streamOutput } from '../contract/output.ts';
import type { StepContext } from '../contract/part.ts';
import { REMOVE_IPSETS } from './pod-network.ts';

/** The discovery file of kubeadm, which exists only while a node joins. */
export const JOIN_CONF = '/run/kubexm-join.conf';

type CleanUpContext = Pick<StepContext, 'runner' | 'say' | 'signal'>;

/**
 * Stops Kubernetes on a host and removes its files, mounts, interfaces and packet filter rules. Interfaces and rules are
 * matched by name, so those of other programs stay.
 */
export const cleanUpHost = (ctx: CleanUpContext, stop: Command): Promise<unknown> =>
  ctx.runner.run(
    sh`PATH=/usr/local/bin:$PATH
${stop}
rm -f -- ${shellWords(CLUSTER_CNI_FILES)}
${UNMOUNT}
rm -rf -- /etc/kubernetes/manifests /etc/kubernetes/pki /etc/kubernetes/tmp /etc/kubernetes/*.conf
${emptyKubelet(sh``)}
${DISCONNECT}
rm -rf -- ${KUBECTL_CACHE} ${JOIN_CONF}
rmdir /run/kubexm /etc/kubernetes 2>/dev/null || true`,
    streamOutput(ctx),
  );

/** Removes Pods and everything they leave on a host; the configuration of Kubernetes stays. */
export const cleanUpPods = (ctx: CleanUpContext, stop: Command): Promise<unknown> =>
  ctx.runner.run(
    sh`PATH=/usr/local/bin:$PATH
${stop}
${UNMOUNT}
${emptyKubelet(sh`! -name config.yaml`)}
${DISCONNECT}`,
    streamOutput(ctx),
  );

const UNMOUNT = unmountBelow('/var/lib/kubelet');

const emptyKubelet = (filter: Command) =>
  sh`find /var/lib/kubelet -mindepth 1 -maxdepth 1 ${filter} -exec rm -rf --one-file-system -- {} + 2>/dev/null || true`;

/** Removes network interfaces, packet filter rules, ipsets and cgroups. */
const DISCONNECT = sh`for link in $(ls /sys/class/net | grep -E ${`^(${CLUSTER_LINKS})$`}); do ip link delete "$link" 2>/dev/null || true; done
nft list tables 2>/dev/null | grep -E ${` (${CLUSTER_NFT_TABLES.join('|')})$`} | while read -r _ family name; do nft delete table "$family" "$name"; done
for tool in iptables ip6tables; do
  command -v "$tool-save" >/dev/null && "$tool-save" 2>/dev/null | grep -qE ${[...CLUSTER_CHAINS.map((chain) => `^:${chain}`), ...CLUSTER_RULE_MARKS].join('|')} || continue
  "$tool-save" | grep -vE ${[...CLUSTER_CHAINS, ...CLUSTER_RULE_MARKS].join('|')} | "$tool-restore"
done
${REMOVE_IPSETS}
systemctl stop kubepods.slice 2>/dev/null || true
find /sys/fs/cgroup -depth -type d -path '*/kubepods.slice*' -exec rmdir -- {} + 2>/dev/null || true`;
