import { EXIT } from './exit-codes.ts';
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
  COMMANDS_FAILED: entry(
    EXIT.command,
    { failed: 'node2 (exit 1), node3 (exit 127)', unreached: '', total: 3 },
    (p) => ({
      title: 'The command failed on some hosts',
      message: `Of ${p.total} hosts: ${p.failed}.${p.unreached && `\nNot asked:\n${p.unreached}`}`,
      hint: 'Look at their lines above, or run it on one of them with --nodes.',
    }),
  ),
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
  HOST_NOT_READY: entry(EXIT.connection, { host: 'node2' }, (p) => ({
    title: `${p.host} was not reached`,
    message: `A step on another host has to look at ${p.host}, which could not be reached before.`,
    hint: `kubexm run command --nodes ${p.host} -- true`,
  })),
  TASK_NOT_FOUND: entry(EXIT.config, { name: 'prepare', known: 'prepare-os, sync-time' }, (p) => ({
    title: `There is no task ${p.name} for this cluster`,
    message: `Tasks: ${p.known}.`,
    hint: 'kubexm run task --help',
  })),
  RUN_OF_ANOTHER_PIPELINE: entry(
    EXIT.refused,
    { run: '20261117-101402-3f9a', pipeline: 'create-cluster', wanted: 'delete-cluster' },
    (p) => ({
      title: `${p.pipeline} changed this cluster since ${p.wanted} was last run`,
      message: `After run ${p.run} what was done before cannot be taken for granted. Nothing was changed.`,
      hint: 'Leave --resume out: every step looks before it changes anything.',
    }),
  ),
  RUN_OF_ANOTHER_SELECTION: entry(
    EXIT.refused,
    {
      run: '20261117-101402-3f9a',
      was: '--nodes node1',
      wanted: 'the whole plan',
      goOn: 'kubexm create cluster --nodes node1 --resume',
    },
    (p) => ({
      title: `The last run, ${p.run}, was of ${p.was}, not of ${p.wanted}`,
      message: 'A run goes on with what it was begun with. Nothing was changed.',
      hint: `Leave --resume out: every step looks before it changes anything.${p.goOn === '' ? '' : ` Or go on with that run:\n${p.goOn}`}`,
    }),
  ),
  PREFLIGHT_FAILED: entry(
    EXIT.config,
    {
      summary: '1 error, 2 warnings',
      findings:
        'error    PF8   node1\n         found   port 6443/tcp is held by haproxy\n         wanted  free for kube-apiserver\n         fix     systemctl disable --now haproxy',
      ids: 'PF8',
    },
    (p) => ({
      title: `The hosts are not fit for the cluster: ${p.summary}`,
      message: `Nothing was changed.\n\n${p.findings}`,
      hint: `Mend them and run the same command again; or go on in spite of them with --ignore-preflight ${p.ids}`,
    }),
  ),
  NOT_CONFIRMED: entry(
    EXIT.refused,
    { question: 'Remove the cluster prod from 3 hosts?', help: 'kubexm delete cluster --yes' },
    (p) => ({
      title: 'Nothing was done, because a yes was missing',
      message: `The question was: ${p.question}`,
      hint: p.help,
    }),
  ),
};
