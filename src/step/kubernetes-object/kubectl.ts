import { sh, type Command } from '../../runner/command.ts';

/** The admin kubeconfig on a master. */
export const ADMIN_CONF = '/etc/kubernetes/admin.conf';

/** The kubectl cache; in memory, removed with the node. */
export const KUBECTL_CACHE = '/run/kubexm/kubectl';

/** A kubectl command on a master with admin credentials and a short timeout. */
export const kubectl = (rest: Command): Command => kubectlAs(ADMIN_CONF, rest);

/** Like `kubectl`, but with another kubeconfig. */
export function kubectlAs(kubeconfig: string, rest: Command): Command {
  const { text } =
    sh`/usr/local/bin/kubectl --kubeconfig ${kubeconfig} --cache-dir ${KUBECTL_CACHE} --request-timeout=20s ${rest}`;
  return { text, display: `kubectl ${rest.display}` };
}

/** For commands that wait, such as deleting a namespace with its objects. */
export const LONG_TIMEOUT: Command = sh`--timeout=180s --request-timeout=200s`;
