import { sh } from '../../runner/command.ts';
import { command } from '../common/command.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Removes super-admin.conf: it bypasses RBAC and is needed only until the RBAC bindings exist. */
export const removeSuperAdmin: Step = defineStep({
  name: 'kubernetes.super-admin',
  summary: 'Remove super-admin.conf',
  parts: () => [
    command({
      key: 'command:super-admin',
      summary: `remove ${SUPER_ADMIN}`,
      check: sh`[ ! -e ${SUPER_ADMIN} ]`,
      run: sh`rm -f -- ${SUPER_ADMIN}`,
      because: 'exists and bypasses RBAC',
    }),
  ],
});

const SUPER_ADMIN = '/etc/kubernetes/super-admin.conf';
