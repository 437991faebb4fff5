import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const id = 'etcd/install-etcd/etcd.start@node2';

/** Errors of plans and of running them. */
export const engineErrors = {
  PLAN_DUPLICATE_NODE: entry(EXIT.plan, { id }, (p) => ({
    title: 'The plan has a step twice',
    message: `${p.id} was planned more than once, so a journal could not tell one from the other.`,
    hint: 'This is a defect of kubexm: report it with the command you ran.',
  })),
  PLAN_UNMET_NEED: entry(
    EXIT.plan,
    { id: 'kubernetes/join-workers/kubeadm.join@node4', key: 'join-token', leftOut: '' },
    (p) => ({
      title: `${p.id} needs ${p.key}, which nothing before it provides`,
      message: p.leftOut
        ? `${p.leftOut} provides it and was left out. No host was touched.`
        : 'No step of the plan that comes before it provides it. No host was touched.',
      hint: p.leftOut
        ? `Select that one, too: --tags ${p.leftOut.split('/').slice(-2)[0]}`
        : 'This is a defect of kubexm: report it with the command you ran.',
    }),
  ),
  PLAN_NOTHING_SELECTED: entry(EXIT.plan, { plan: 'create-cluster', known: 'etcd, install-etcd, network' }, (p) => ({
    title: 'Nothing of the plan is selected',
    message: `No step of ${p.plan} is named by --tags, --skip-tags, the task and the hosts together. Names in it: ${p.known}.`,
    hint: 'Look at the whole plan first: add --dry-run, and leave the selection out.',
  })),
  STEP_NOT_CONVERGED: entry(EXIT.command, { part: 'run etcd.service', because: 'it is not active' }, (p) => ({
    title: 'A step ran and the host is still not as it should be',
    message: `After "${p.part}" ran without an error, looking again found: ${p.because}.`,
    hint: 'Look at the host, then go on with --resume.',
  })),
  UNDO_INCOMPLETE: entry(EXIT.command, { host: 'node2', left: '/etc/hosts: its record is missing' }, (p) => ({
    title: `Could not restore the original state of ${p.host}`,
    message: `Everything else was restored. Left: ${p.left}.`,
    hint: `Restore it by hand, then remove its record and the .key file beside it on ${p.host}, and run the command again.`,
  })),
  STEP_TIMED_OUT: entry(EXIT.command, { seconds: 300, last: 'waiting for etcd.service' }, (p) => ({
    title: 'A step took too long',
    message: `It was ended after ${p.seconds} s.${p.last ? ` The last thing heard of it: ${p.last}` : ''}`,
    hint: 'Look at what the host is busy with, then go on with --resume.',
  })),
  EARLIER_STILL_RUNS: entry(EXIT.connection, { host: 'node2', pid: '4711', minutes: 30 }, (p) => ({
    title: `${p.host} still does what an earlier run began there`,
    message: `Process ${p.pid} and what it started did not end within ${p.minutes} minutes. Until then nothing new is begun on ${p.host}.`,
    hint: `kubexm run command --nodes ${p.host} -- ps -o pid,etime,args --sid ${p.pid}`,
  })),
  HOST_BUDGET_SPENT: entry(
    EXIT.command,
    { host: 'node2', minutes: 10, last: 'A command failed. `apt-get install` exited with 100.' },
    (p) => ({
      title: `${p.host} fails too often`,
      message: `Tries that failed took ${p.minutes} minutes there, so it does not hold up the others any longer. The last one: ${p.last}`,
      hint: `kubexm run command --nodes ${p.host} -- 'uptime; df -h; journalctl -p err -n 20 --no-pager'; then take it in again with --resume.`,
    }),
  ),
  STEP_VALUE_MISSING: entry(EXIT.command, { key: 'join-token' }, (p) => ({
    title: `${p.key} is not there`,
    message: `The step needs ${p.key}, and the step that provides it did not get to it: its host was set aside.`,
    hint: 'Mend the host that was set aside, then go on with --resume.',
  })),
  TOO_MANY_SET_ASIDE: entry(EXIT.connection, { count: 6, limit: 5, first: 'node4: no route to host' }, (p) => ({
    title: `${p.count} hosts had to be set aside, more than the ${p.limit} allowed`,
    message: `Nothing new was started after that. The first one was ${p.first}`,
    hint: 'Look at what they have in common, such as a network or a key, then go on with --resume.',
  })),
  JOURNAL_UNWRITABLE: entry(
    EXIT.command,
    { path: '.kubexm/prod/runs/20261117-1014/journal.jsonl', reason: 'no space left on device' },
    (p) => ({
      title: 'The journal of the run cannot be written',
      message: `Writing ${p.path} failed: ${p.reason}. Without it nothing new is started; steps in flight were finished.`,
      hint: 'Make room on this machine (df -h .), then go on with --resume.',
    }),
  ),
  JOURNAL_INVALID: entry(EXIT.refused, { path: '.kubexm/prod/runs/20261117-1014/journal.jsonl', line: 12 }, (p) => ({
    title: 'The journal of the run is damaged',
    message: `Line ${p.line} of ${p.path} is not what was written, and more lines follow it.`,
    hint: 'Start over without --resume: every step looks before it changes anything.',
  })),
  RUN_NOT_FOUND: entry(EXIT.config, { cluster: 'prod', command: 'create cluster' }, (p) => ({
    title: `There is no run of ${p.command} on ${p.cluster} to go on with`,
    message: 'No journal of an earlier run is in the working directory.',
    hint: 'Run the same command without --resume.',
  })),
  RUN_UNKNOWN: entry(
    EXIT.config,
    { id: '2026', cluster: 'prod', meant: 0, known: '20261117-101402-3f9a, 20261116-090105-77d1' },
    (p) => ({
      title:
        p.meant > 1 ? `${p.id} may mean ${p.meant} runs of ${p.cluster}` : `There is no run ${p.id} of ${p.cluster}`,
      message: `${p.meant > 1 ? 'They are' : 'The last ones are'}: ${p.known}.`,
      hint: 'Name one of them, or say latest: kubexm describe run latest',
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
      title: `${p.cluster} is being worked on by ${p.owner}`,
      message: `${p.owner} runs ${p.what} since ${p.since} (run ${p.run}); the lock on ${p.where} was renewed just now.`,
      hint: 'Wait for it to end. If that run died, its lock can be taken 30 s after its last sign of life.',
    }),
  ),
  LOCK_UNWRITABLE: entry(
    EXIT.command,
    { host: 'node2', path: '/var/lib/kubexm/clusters/prod/lock', reason: 'cat: write error: No space left on device' },
    (p) => ({
      title: `${p.host} cannot keep a lock`,
      message: `Nothing is changed on a host that cannot be locked. Writing to ${p.path} failed: ${p.reason}`,
      hint: `Make room, or make the disk writable: kubexm run command --nodes ${p.host} -- 'df -h /var/lib; grep " ro[ ,]" /proc/mounts'; then go on with --resume.`,
    }),
  ),
  LOCK_LOST: entry(EXIT.locked, { cluster: 'prod', owner: 'ada@desk', where: 'node1' }, (p) => ({
    title: `The lock on ${p.cluster} was lost`,
    message: `${p.owner} took it over on ${p.where}, because this run gave no sign of life for too long. Nothing new was started.`,
    hint: 'Ask them, then go on with --resume.',
  })),
};
