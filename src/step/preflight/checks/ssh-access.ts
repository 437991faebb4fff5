import { KubexmError } from '../../../common/errors/errors.ts';
import { defineCheck, hasRole } from '../check.ts';

export const reach = defineCheck({
  id: 'PF1',
  title: 'Connection and sudo',
  about: 'Every host lets kubexm in over SSH and lets it become root.',
  severities: ['error', 'warning'],
  across: ({ cluster, unreached, strict }) =>
    [...unreached].map(([name, reason]) => {
      const host = cluster.hosts.find((each) => each.name === name);
      // Without its masters and members of etcd there is no cluster; others can be taken in later.
      const needed = strict || (host !== undefined && hasRole(host, 'master', 'etcd'));
      const { title, message, hint } =
        reason instanceof KubexmError
          ? reason.report
          : { title: 'It cannot be looked at', message: String(reason), hint: '' };
      return {
        host: name,
        severity: needed ? ('error' as const) : ('warning' as const),
        found: `${title}. ${message}`.replaceAll('\n', ' '),
        wanted: `${host?.login.user ?? 'root'} can log in and become root`,
        fix: hint || `kubexm run command --nodes ${name} -- true`,
      };
    }),
});
