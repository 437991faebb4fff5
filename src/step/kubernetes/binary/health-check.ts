import { sh, type Command } from '../../../runner/command.ts';
import { kubectlAs } from '../../kubernetes-object/kubectl.ts';

export interface HealthCheckOptions {
  readonly server: string;
  readonly path: string;
  readonly kubeconfig: string;
  /** The component has a self-signed certificate. */
  readonly selfSigned?: true;
}

/** Requests the health endpoint of a component on the host itself. */
export function healthCheck({ server, path, kubeconfig, selfSigned }: HealthCheckOptions): Command {
  const trust = selfSigned ? sh`--insecure-skip-tls-verify` : sh``;
  const request = kubectlAs(kubeconfig, sh`--server ${server} ${trust} get --raw ${path}`);
  return { text: `[ -x /usr/local/bin/kubectl ] && ${request.text} 2>&1 >/dev/null`, display: `get ${server}${path}` };
}
