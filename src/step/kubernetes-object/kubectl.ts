import { sh, type Command } from '../../runner/command.ts';

/** Where a master keeps the way in for administrators. */
export const ADMIN_CONF = '/etc/kubernetes/admin.conf';

/** What kubectl remembers of the cluster; in memory, and gone with the node. */
export const KUBECTL_CACHE = '/run/kubexm/kubectl';

/** A command of kubectl on a master, as an administrator; it never waits for long. */
export const kubectl = (rest: Command): Command => kubectlAs(ADMIN_CONF, rest);

/** The same by another way in. */
export function kubectlAs(kubeconfig: string, rest: Command): Command {
  const { text } =
    sh`/usr/local/bin/kubectl --kubeconfig ${kubeconfig} --cache-dir ${KUBECTL_CACHE} --request-timeout=20s ${rest}`;
  return { text, display: `kubectl ${rest.display}` };
}

/** For what waits until something is so: a namespace goes only when all in it is gone. */
export const LONG_TIMEOUT: Command = sh`--timeout=180s --request-timeout=200s`;
