import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors from commands that run on hosts. */
export const runErrors = {
  SECRET_MISSING: entry(
    EXIT.config,
    { field: 'node1.password', reason: 'the environment variable NODE_PASSWORD is not set' },
    (p) => ({
      title: `No value for ${p.field}`,
      message: `The cluster file refers to an external value, but ${p.reason}. Nothing was changed.`,
      hint: 'Provide the value, then repeat the command.',
    }),
  ),
  NO_SUCH_HOST: entry(
    EXIT.config,
    { pattern: 'node9', hosts: 'node1, node2, node3', roles: 'etcd, master, worker' },
    (p) => ({
      title: `No host matches "${p.pattern}"`,
      message: `Hosts in the cluster file: ${p.hosts}. Roles: ${p.roles}.`,
      hint: 'Use host names, globs or roles: --nodes node1,node2 or --nodes "node*" or --nodes role:master',
    }),
  ),
  COMMANDS_FAILED: entry(
    EXIT.command,
    { failed: 'node2 (exit 1), node3 (exit 127)', unreached: '', total: 3 },
    (p) => ({
      title: 'The command failed on some hosts',
      message: `It failed on these hosts (of ${p.total} in total): ${p.failed}.${p.unreached && `\nUnreachable hosts:\n${p.unreached}`}`,
      hint: 'Check the output of these hosts above, or run the command on a single host with --nodes.',
    }),
  ),
  HOSTS_FAILED: entry(EXIT.connection, { failed: 'node2: node2 is unreachable', total: 3 }, (p) => ({
    title: 'Could not connect to any host',
    message: p.failed,
    hint: 'kubexm run command --nodes NAME -- true',
  })),
  HOSTS_SET_ASIDE: entry(EXIT.partial, { failed: 'node2: node2 is unreachable', total: 3, done: 2 }, (p) => ({
    title: `Completed on ${p.done} of ${p.total} hosts`,
    message: `Could not connect to the other hosts:\n${p.failed}`,
    hint: 'Fix these hosts, then repeat the command for them with --nodes.',
  })),
  HOST_NOT_READY: entry(EXIT.connection, { host: 'node2' }, (p) => ({
    title: `No connection to ${p.host}`,
    message: `A step on another host needs ${p.host}, which was unreachable earlier in this run.`,
    hint: `kubexm run command --nodes ${p.host} -- true`,
  })),
  TASK_NOT_FOUND: entry(EXIT.config, { name: 'prepare', known: 'prepare-os, sync-time' }, (p) => ({
    title: `Unknown task ${p.name}`,
    message: `Tasks of this cluster: ${p.known}.`,
    hint: 'kubexm run task --help',
  })),
  RUN_OF_ANOTHER_PIPELINE: entry(
    EXIT.refused,
    { run: '20261117-101402-3f9a', pipeline: 'create-cluster', wanted: 'delete-cluster' },
    (p) => ({
      title: `${p.pipeline} changed this cluster after the last ${p.wanted}`,
      message: `Run ${p.run} may have changed the state that ${p.wanted} recorded, so ${p.wanted} cannot be resumed. Nothing was changed.`,
      hint: 'Repeat the command without --resume: every step checks the host first and changes only what differs.',
    }),
  ),
  RUN_OF_ANOTHER_SELECTION: entry(
    EXIT.refused,
    {
      run: '20261117-101402-3f9a',
      was: '--nodes node1',
      wanted: 'the whole plan',
      resumeCommand: 'kubexm create cluster --nodes node1 --resume',
    },
    (p) => ({
      title: `The last run (${p.run}) covered ${p.was}, not ${p.wanted}`,
      message: 'A run can only be resumed with the same selection of hosts and tasks. Nothing was changed.',
      hint: `Repeat the command without --resume.${p.resumeCommand === '' ? '' : ` Or resume that run:\n${p.resumeCommand}`}`,
    }),
  ),
  PREFLIGHT_FAILED: entry(
    EXIT.config,
    {
      summary: '1 error, 2 warnings',
      findings:
        'error    PF8   node1\n         found   port 6443/tcp is in use by haproxy\n         wanted  free for kube-apiserver\n         fix     systemctl disable --now haproxy',
      ids: 'PF8',
    },
    (p) => ({
      title: `Preflight checks failed: ${p.summary}`,
      message: `Nothing was changed.\n\n${p.findings}`,
      hint: `Fix the errors and repeat the command, or continue despite them with --ignore-preflight ${p.ids}`,
    }),
  ),
  NOT_CONFIRMED: entry(
    EXIT.refused,
    { question: 'Delete cluster prod from 3 hosts?', help: 'kubexm delete cluster --yes' },
    (p) => ({
      title: 'Cancelled: not confirmed',
      message: `${p.question} Confirm with --yes. Nothing was changed.`,
      hint: p.help,
    }),
  ),
};
