import { sh } from '../../runner/command.ts';
import { command } from '../common/command.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The way in that passes by all rules is only for the moment when there are none yet. */
export const removeSuperAdmin: Step = defineStep({
  name: 'kubernetes.super-admin',
  summary: 'Remove the kubeconfig that no rule holds for',
  parts: () => [
    command({
      key: 'command:super-admin',
      summary: `remove ${SUPER_ADMIN}`,
      check: sh`[ ! -e ${SUPER_ADMIN} ]`,
      run: sh`rm -f -- ${SUPER_ADMIN}`,
      because: 'whoever has it may do everything',
    }),
  ],
});

const SUPER_ADMIN = '/etc/kubernetes/super-admin.conf';
