import { EXIT } from '../exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of commands that work on hosts. */
export const runErrors = {
  SECRET_MISSING: entry(
    EXIT.config,
    { field: 'node1.password', reason: 'the environment variable NODE_PASSWORD is not set' },
    (p) => ({
      title: `The secret ${p.field} cannot be found`,
      message: `The cluster file says where it is, but ${p.reason}.`,
      hint: 'Set it and run again; nothing was changed.',
    }),
  ),
  NO_SUCH_HOST: entry(
    EXIT.config,
    { pattern: 'node9', hosts: 'node1, node2, node3', roles: 'etcd, master, worker' },
    (p) => ({
      title: `No host is meant by ${p.pattern}`,
      message: `Hosts of the file: ${p.hosts}. Roles: ${p.roles}.`,
      hint: 'Name hosts, globs or roles: --nodes node1,node2 or --nodes "node*" or --nodes role:master',
    }),
  ),
  COMMANDS_FAILED: entry(EXIT.command, { failed: 'node2 (exit 1), node3 (exit 127)', total: 3 }, (p) => ({
    title: 'The command failed on some hosts',
    message: `Of ${p.total} hosts: ${p.failed}.`,
    hint: 'Look at their lines above, or run it on one of them with --nodes.',
  })),
  HOSTS_FAILED: entry(EXIT.connection, { failed: 'node2: node2 cannot be reached', total: 3 }, (p) => ({
    title: 'No host could be asked',
    message: p.failed,
    hint: 'kubexm run command --nodes NAME -- true',
  })),
  HOSTS_SET_ASIDE: entry(EXIT.partial, { failed: 'node2: node2 cannot be reached', total: 3, done: 2 }, (p) => ({
    title: `Done on ${p.done} of ${p.total} hosts`,
    message: `The others were set aside:\n${p.failed}`,
    hint: 'Mend them, then run it there with --nodes.',
  })),
};
