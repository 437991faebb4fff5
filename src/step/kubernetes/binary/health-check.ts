import { sh, type Command } from '../../../runner/command.ts';
import { kubectlAs } from '../../kubernetes-object/kubectl.ts';

/** Whom of the host itself is asked, by which way in, and for what. */
export interface HealthCheckOptions {
  readonly server: string;
  readonly path: string;
  readonly kubeconfig: string;
  /** Who healthCheck vouches for itself. */
  readonly selfSigned?: true;
}

/** Whether a part of Kubernetes says that it is well. */
export function healthCheck({ server, path, kubeconfig, selfSigned }: HealthCheckOptions): Command {
  const trust = selfSigned ? sh`--insecure-skip-tls-verify` : sh``;
  const ask = kubectlAs(kubeconfig, sh`--server ${server} ${trust} get --raw ${path}`);
  return { text: `[ -x /usr/local/bin/kubectl ] && ${ask.text} 2>&1 >/dev/null`, display: `ask ${server}${path}` };
}
