import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const id = 'etcd/install-etcd/etcd.start@node2';

/** Errors in plans and while running them. */
export const engineErrors = {
  PLAN_DUPLICATE_NODE: entry(EXIT.plan, { id }, (p) => ({
    title: 'The plan contains a step twice',
    message: `${p.id} is in the plan more than once, so its journal entries would be ambiguous.`,
    hint: 'This is a bug in kubexm: report it with the command you ran.',
  })),
  PLAN_UNMET_NEED: entry(
    EXIT.plan,
    { id: 'kubernetes/join-workers/kubeadm.join@node4', key: 'join-token', leftOut: '' },
    (p) => ({
      title: `${p.id} needs ${p.key}, which no earlier step provides`,
      message: p.leftOut
        ? `${p.leftOut} provides it but is not selected. No host was changed.`
        : 'The plan is incomplete. No host was changed.',
      hint: p.leftOut
        ? `Select it as well: --tags ${p.leftOut.split('/').slice(-2)[0]}`
        : 'This is a bug in kubexm: report it with the command you ran.',
    }),
  ),
  PLAN_NOTHING_SELECTED: entry(EXIT.plan, { plan: 'create-cluster', known: 'etcd, install-etcd, network' }, (p) => ({
    title: 'No step is selected',
    message: `No step of ${p.plan} matches the selected tags, task and hosts. Modules and tasks of the plan: ${p.known}.`,
    hint: 'Show the whole plan: add --dry-run and remove --tags, --skip-tags and --nodes.',
  })),
  STEP_NOT_CONVERGED: entry(EXIT.command, { part: 'run etcd.service', because: 'it is not active' }, (p) => ({
    title: 'A step succeeded but did not reach the desired state',
    message: `"${p.part}" ran without an error, but the check afterwards reported: ${p.because}.`,
    hint: 'Inspect the host, then repeat the command with --resume.',
  })),
  UNDO_INCOMPLETE: entry(EXIT.command, { host: 'node2', left: '/etc/hosts: its record is missing' }, (p) => ({
    title: `Could not restore the original state of ${p.host}`,
    message: `Not restored: ${p.left}. Everything else was restored.`,
    hint: `Restore it manually. Then delete its record and the .key file in the same directory on ${p.host}, and repeat the command.`,
  })),
  STILL_IN_CLUSTER: entry(EXIT.command, { host: 'node2', unit: 'kubelet.service' }, (p) => ({
    title: `${p.host} is still part of the cluster`,
    message: `${p.unit} is running on ${p.host}, because the tasks that uninstall it did not run there. Nothing was removed.`,
    hint: `Run \`kubexm delete cluster\` without --tags and --skip-tags. If the cluster file no longer lists the roles of ${p.host}, add them again first.`,
  })),
  STEP_TIMED_OUT: entry(EXIT.command, { seconds: 300, last: 'waiting for etcd.service' }, (p) => ({
    title: 'A step timed out',
    message: `It was stopped after ${p.seconds} s.${p.last ? ` Last output: ${p.last}` : ''}`,
    hint: 'Check the load of the host, then repeat the command with --resume.',
  })),
  EARLIER_STILL_RUNS: entry(EXIT.connection, { host: 'node2', pid: '4711', minutes: 30 }, (p) => ({
    title: `A process from an earlier run is still running on ${p.host}`,
    message: `Process ${p.pid} and its children did not exit within ${p.minutes} minutes. No new step starts on ${p.host} until they exit.`,
    hint: `kubexm run command --nodes ${p.host} -- ps -o pid,etime,args --sid ${p.pid}`,
  })),
  HOST_BUDGET_SPENT: entry(
    EXIT.command,
    { host: 'node2', minutes: 10, last: 'A command failed. `apt-get install` exited with 100.' },
    (p) => ({
      title: `Too many failures on ${p.host}`,
      message: `Failed attempts took ${p.minutes} minutes, so kubexm quarantined this host. Last error: ${p.last}`,
      hint: `kubexm run command --nodes ${p.host} -- 'uptime; df -h; journalctl -p err -n 20 --no-pager'; then repeat the command with --resume.`,
    }),
  ),
  STEP_VALUE_MISSING: entry(EXIT.command, { key: 'join-token' }, (p) => ({
    title: `${p.key} is missing`,
    message: `The step needs ${p.key}, but the step that provides it did not run because its host was quarantined.`,
    hint: 'Fix the quarantined host, then repeat the command with --resume.',
  })),
  TOO_MANY_SET_ASIDE: entry(EXIT.connection, { count: 6, limit: 5, first: 'node4: no route to host' }, (p) => ({
    title: `${p.count} hosts are quarantined, which exceeds the limit of ${p.limit}`,
    message: `The run was aborted. First quarantined host: ${p.first}`,
    hint: 'Check what these hosts have in common, such as a network or an SSH key, then repeat the command with --resume.',
  })),
  JOURNAL_UNWRITABLE: entry(
    EXIT.command,
    { path: '.kubexm/prod/runs/20261117-1014/journal.jsonl', reason: 'no space left on device' },
    (p) => ({
      title: 'Could not write the run journal',
      message: `Writing ${p.path} failed: ${p.reason}. Steps that were already running finished; no new step was started.`,
      hint: 'Free disk space on this machine (df -h .), then repeat the command with --resume.',
    }),
  ),
  JOURNAL_INVALID: entry(EXIT.refused, { path: '.kubexm/prod/runs/20261117-1014/journal.jsonl', line: 12 }, (p) => ({
    title: 'The run journal is corrupt',
    message: `Line ${p.line} of ${p.path} is invalid. Only the last line may be incomplete.`,
    hint: 'Repeat the command without --resume: every step checks the host first and changes only what differs.',
  })),
  RUN_NOT_FOUND: entry(EXIT.config, { cluster: 'prod', command: 'create cluster' }, (p) => ({
    title: `No run of "${p.command}" to resume for ${p.cluster}`,
    message: 'The working directory contains no journal from an earlier run.',
    hint: 'Repeat the command without --resume.',
  })),
  RUN_UNKNOWN: entry(
    EXIT.config,
    { id: '2026', cluster: 'prod', matches: 0, known: '20261117-101402-3f9a, 20261116-090105-77d1' },
    (p) => ({
      title:
        p.matches > 1 ? `${p.id} matches ${p.matches} runs of ${p.cluster}` : `No run of ${p.cluster} matches ${p.id}`,
      message: `${p.matches > 1 ? 'Matching' : 'Latest'} runs: ${p.known}.`,
      hint: 'Use one of these IDs, or "latest": kubexm describe run latest',
    }),
  ),
  LOCKED: entry(
    EXIT.locked,
    {
      cluster: 'prod',
      owner: 'ada@desk',
      what: 'create cluster',
      since: '2026-11-17T10:14:02Z',
      run: '20261117-1014',
      where: 'node1',
    },
    (p) => ({
      title: `${p.cluster} is locked by ${p.owner}`,
      message: `${p.owner} has been running ${p.what} since ${p.since} (run ${p.run}) and keeps renewing the lock on ${p.where}.`,
      hint: 'Wait until that run ends. The lock of a run that died expires after 30 s.',
    }),
  ),
  LOCK_UNWRITABLE: entry(
    EXIT.command,
    { host: 'node2', path: '/var/lib/kubexm/clusters/prod/lock', reason: 'cat: write error: No space left on device' },
    (p) => ({
      title: `Could not write the lock on ${p.host}`,
      message: `Writing ${p.path} failed: ${p.reason}. kubexm changes nothing on ${p.host} without the lock.`,
      hint: `Free disk space or make the disk writable: kubexm run command --nodes ${p.host} -- 'df -h /var/lib; grep " ro[ ,]" /proc/mounts'; then repeat the command with --resume.`,
    }),
  ),
  LOCK_LOST: entry(EXIT.locked, { cluster: 'prod', owner: 'ada@desk', where: 'node1' }, (p) => ({
    title: `The lock on ${p.cluster} was lost`,
    message: `${p.owner} took over the lock on ${p.where} because this run did not renew it in time. No new step was started.`,
    hint: 'Wait until the other run ends, then repeat the command with --resume.',
  })),
};
