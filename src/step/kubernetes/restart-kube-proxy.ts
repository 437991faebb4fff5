import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { endpointAddress } from '../../template/etc-hosts.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { command } from '../common/command.ts';
import { defineStep, type Step } from '../contract/step.ts';

/**
 * kube-proxy asks the endpoint where this node finds it. A pod in the network of its host keeps the names that the host
 * knew when it started: one that started while the node joined would go on asking the first master alone.
 */
export const restartStaleKubeProxy = (cluster: Cluster): Step =>
  defineStep({
    name: 'kube-proxy.settle',
    summary: 'Let kube-proxy find the API where the node does',
    parts: ({ host }) => {
      const at = endpointAddress(cluster, clusterHost(cluster, host));
      const { domain } = cluster.endpoint;
      if (at === undefined) return [];
      return [
        command({
          key: 'command:kube-proxy-endpoint',
          summary: 'start kube-proxy anew if it knows another endpoint',
          check: sh`[ -z "$(${stalePods(domain, at)})" ]`,
          run: sh`PATH=/usr/local/bin:$PATH
for pod in $(${stalePods(domain, at)}); do crictl stopp "$pod"; done`,
          because: 'it was started while the node joined',
        }),
      ];
    },
  });

/** By their etc-hosts; the sandbox of a pod is found by the pod's id. */
const stalePods = (domain: string, at: string): Command => ({
  text: `PATH=/usr/local/bin:$PATH
for file in /var/lib/kubelet/pods/*/etc-hosts; do
  pod=\${file%/etc-hosts}
  [ -f "$file" ] && [ -d "$pod/containers/kube-proxy" ] || continue
  awk ${sh`-v name=${domain} -v at=${at}`.text} '{ for (i = 2; i <= NF; i++) if ($i == name && $1 != at) found = 1 } END { exit !found }' "$file" || continue
  crictl pods -q --state ready --label "io.kubernetes.pod.uid=\${pod##*/}"
done`,
  display: 'look for kube-proxy with another endpoint',
});
