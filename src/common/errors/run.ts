import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of commands that run on hosts. */
export const runErrors = {
  SECRET_MISSING: entry(
    EXIT.config,
    { field: 'node1.password', reason: 'the environment variable NODE_PASSWORD is not set' },
    (p) => ({
      title: `Secret ${p.field} not found`,
      message: `The cluster file refers to it, but ${p.reason}. Nothing was changed.`,
      hint: 'Set the secret, then repeat the command.',
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
      message: `Failed hosts (out of ${p.total}): ${p.failed}.${p.unreached && `\nUnreachable hosts:\n${p.unreached}`}`,
      hint: 'Check their output above, or run the command on one host with --nodes.',
    }),
  ),
  HOSTS_FAILED: entry(EXIT.connection, { failed: 'node2: node2 is unreachable', total: 3 }, (p) => ({
    title: 'Could not connect to any host',
    message: p.failed,
    hint: 'kubexm run command --nodes NAME -- true',
  })),
  HOSTS_SET_ASIDE: entry(EXIT.partial, { failed: 'node2: node2 is unreachable', total: 3, done: 2 }, (p) => ({
    title: `Done on ${p.done} of ${p.total} hosts`,
    message: `Could not connect to the other hosts:\n${p.failed}`,
    hint: 'Fix them, then repeat the command for these hosts with --nodes.',
  })),
  HOST_NOT_READY: entry(EXIT.connection, { host: 'node2' }, (p) => ({
    title: `${p.host} is not connected`,
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
      message: `The state that ${p.wanted} recorded may be outdated since run ${p.run}, so it cannot be resumed. Nothing was changed.`,
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
      message: 'A run can only be resumed with the same selection. Nothing was changed.',
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
