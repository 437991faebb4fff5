import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { endpointAddress } from '../../template/etc-hosts.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { command } from '../common/command.ts';
import { defineStep, type Step } from '../contract/step.ts';

/**
 * Makes kube-proxy use the current address of the API endpoint. A Pod with host network gets a copy of /etc/hosts when
 * it starts, so a kube-proxy that started while the node joined would keep connecting to the first master only.
 */
export const restartStaleKubeProxy = (cluster: Cluster): Step =>
  defineStep({
    name: 'kube-proxy.settle',
    summary: 'Restart kube-proxy if it uses an outdated API endpoint',
    parts: ({ host }) => {
      const address = endpointAddress(cluster, clusterHost(cluster, host));
      const { domain } = cluster.endpoint;
      if (address === undefined) return [];
      return [
        command({
          key: 'command:kube-proxy-endpoint',
          summary: 'restart kube-proxy if its endpoint differs',
          check: sh`[ -z "$(${stalePods(domain, address)})" ]`,
          run: sh`PATH=/usr/local/bin:$PATH
for pod in $(${stalePods(domain, address)}); do crictl stopp "$pod"; done`,
          because: 'kube-proxy was started while the node joined',
        }),
      ];
    },
  });

/** Lists the sandboxes of kube-proxy Pods whose etc-hosts has another address for the endpoint. */
const stalePods = (domain: string, address: string): Command => ({
  text: `PATH=/usr/local/bin:$PATH
for file in /var/lib/kubelet/pods/*/etc-hosts; do
  pod=\${file%/etc-hosts}
  [ -f "$file" ] && [ -d "$pod/containers/kube-proxy" ] || continue
  awk ${sh`-v name=${domain} -v at=${address}`.text} '{ for (i = 2; i <= NF; i++) if ($i == name && $1 != at) found = 1 } END { exit !found }' "$file" || continue
  crictl pods -q --state ready --label "io.kubernetes.pod.uid=\${pod##*/}"
done`,
  display: 'find kube-proxy Pods with another endpoint',
});
