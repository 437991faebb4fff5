import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import { API_FILES } from '../../template/kubernetes/apiserver-files.ts';
import { bracketIPv6 } from '../../util/address.ts';
import { waitUntil } from '../common/wait-until.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { ADMIN_CONF, kubectlAs } from '../kubernetes-object/kubectl.ts';

/** The processes of the control plane have the flags of their manifests, and the API server is ready. */
export const staticPodsCurrent = (cluster: Cluster, host: ClusterHost): GenericStep =>
  waitUntil({
    key: 'wait:static-pods',
    summary: 'the control plane runs with its new configuration',
    condition: isCurrent(`https://${bracketIPv6(host.internalAddresses[0])}:${apiPort(cluster)}`),
    timeoutMs: FIVE_MINUTES,
  });

const FIVE_MINUTES = 300_000;

/** Compares flags as sorted lines; kubeadm quotes those that YAML would read as another type. */
const isCurrent = (server: string): Command => ({
  text: `for name in kube-apiserver kube-controller-manager kube-scheduler; do
  wanted=$(sed -n "s/^    - [\\"']\\{0,1\\}--/--/p" /etc/kubernetes/manifests/$name.yaml | sed "s/[\\"']$//" | sort)
  for pid in $(${pidsOf('$name')}); do
    [ "$(tr '\\0' '\\n' </proc/$pid/cmdline | grep '^--' | sort)" = "$wanted" ] && continue 2
  done
  echo "$name does not run with the flags of its manifest yet"; exit 1
done
${kubectlAs(ADMIN_CONF, sh`--server ${server} get --raw /readyz`).text} 2>&1 >/dev/null`,
  display: `compare running processes with their manifests, get ${server}/readyz`,
});

/** Prints the processes of a program, also those in containers. */
const pidsOf = (name: string) => `pgrep -f "^([^ ]*/)?${name}( |$)"`;

/**
 * Ends an API server that started before one of its files was written: the kubelet starts it again only if the manifest
 * changes, and the running one keeps the old content.
 */
export async function restartStaleApiserver({ runner }: Pick<StepContext, 'runner'>): Promise<void> {
  const files = [API_FILES.auditPolicy, API_FILES.encryption, API_FILES.admission, API_FILES.authentication];
  const words = files.map((file) => sh`${file}`.text).join(' ');
  await runner.run({
    text: `for pid in $(${pidsOf('kube-apiserver')}); do
  age=$(ps -o etimes= -p "$pid") || continue
  for file in ${words}; do
    if [ -e "$file" ] && [ $(($(date +%s) - $(stat -c %Y "$file"))) -le $age ]; then kill -TERM "$pid"; break; fi
  done
done`,
    display: 'restart kube-apiserver if one of its files is newer',
  });
}
