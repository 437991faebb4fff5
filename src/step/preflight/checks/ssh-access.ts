import { KubexmError } from '../../../common/errors/errors.ts';
import { defineCheck, hasRole } from '../check.ts';

export const sshAccess = defineCheck({
  id: 'PF1',
  title: 'SSH and sudo',
  about: 'kubexm can log in to every host over SSH and become root.',
  severities: ['error', 'warning'],
  across: ({ cluster, unreachable, strict }) =>
    [...unreachable].map(([name, reason]) => {
      const host = cluster.hosts.find((each) => each.name === name);
      // The cluster needs its masters and etcd members; workers can join later.
      const needed = strict || (host !== undefined && hasRole(host, 'master', 'etcd'));
      const { title, message, hint } =
        reason instanceof KubexmError
          ? reason.report
          : { title: 'The host could not be probed', message: String(reason), hint: '' };
      return {
        host: name,
        severity: needed ? ('error' as const) : ('warning' as const),
        found: `${title}. ${message}`.replaceAll('\n', ' '),
        wanted: `${host?.login.user ?? 'root'} can log in and become root`,
        fix: hint || `kubexm run command --nodes ${name} -- true`,
      };
    }),
});
