import type { Assets } from '../../resource/assets.ts';
import { sh, type Command } from '../../runner/command.ts';
import { installProgram } from '../transfer/install-program.ts';
import { ADMIN_CONF } from './kubectl.ts';
import type { Step } from '../contract/step.ts';

export const installHelm = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'helm',
    summary: 'Install Helm',
    into: '/usr/local/bin',
    wanted: (member) => member.endsWith('/helm'),
  });

/** A helm command on a master with admin credentials. Its cache and configuration are temporary. */
export function helm(rest: Command): Command {
  const { text } =
    sh`h=$(mktemp -d) && trap 'rm -rf -- "$h"' EXIT && trap 'exit 129' HUP INT TERM && ${TEMPORARY_HOME} /usr/local/bin/helm --kubeconfig ${ADMIN_CONF} ${rest}`;
  return { text: `( ${text} )`, display: `helm ${rest.display}` };
}

const TEMPORARY_HOME: Command = {
  text: 'HELM_CACHE_HOME=$h HELM_CONFIG_HOME=$h HELM_DATA_HOME=$h KUBECACHEDIR=$h',
  display: '',
};
