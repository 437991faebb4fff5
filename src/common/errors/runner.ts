import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const host = 'node2';

/** Errors of what is done on a host: files, packages, services, waits. */
export const runnerErrors = {
  HOST_DISK_FULL: entry(
    EXIT.command,
    {
      host,
      what: 'write /etc/etcd/etcd.yaml',
      output: 'cat: write error: No space left on device',
      disk: '/var, 12K free of 40G',
    },
    (p) => ({
      title: `The disk of ${p.host} is full`,
      message:
        `No room was left for this: ${p.what}.${p.disk && `\nDisk: ${p.disk}`}\n${lastLines(p.output, 3)}`.trimEnd(),
      hint: `See what fills it, on ${p.host}: df -h; df -i; du -xh --max-depth=2 ${/^\/[^,]*/.exec(p.disk)?.[0] ?? '/'} | sort -h | tail`,
    }),
  ),
  HOST_READ_ONLY: entry(
    EXIT.command,
    {
      host,
      what: 'write /etc/etcd/etcd.yaml',
      output: "mkdir: cannot create directory '/etc/etcd': Read-only file system",
    },
    (p) => ({
      title: `A file system of ${p.host} is read-only`,
      message: `This could not be done: ${p.what}.\n${lastLines(p.output, 3)}`.trimEnd(),
      hint: `A disk with errors is made so by the kernel. On ${p.host}: dmesg | tail -n 30; grep ' ro[ ,]' /proc/mounts`,
    }),
  ),
  FACTS_UNREADABLE: entry(EXIT.connection, { host, reason: 'its processor is riscv64' }, (p) => ({
    title: `${p.host} cannot be used`,
    message: `What it is could not be found out: ${p.reason}.`,
    hint: 'KubeXM works on Linux on amd64 or arm64, with /bin/sh, coreutils and /proc.',
  })),
  PACKAGE_MANAGER_MISSING: entry(EXIT.command, { host, os: 'Alpine Linux v3.20' }, (p) => ({
    title: `${p.host} has no package manager that kubexm knows`,
    message: `${p.os} has none of apt-get, dnf and yum.`,
    hint: 'Use a Debian or RHEL like system on this host.',
  })),
  PACKAGE_LOCKED: entry(EXIT.command, { host, holder: 'unattended-upgr (pid 812)', minutes: 10 }, (p) => ({
    title: `Another program installs packages on ${p.host}`,
    message: `The lock was waited for, ${p.minutes} minutes, and is still held by ${p.holder}. It was left alone.`,
    hint: `Wait until it ends, or look at what it does, on ${p.host}: ps -ef --forest; then run the same command again.`,
  })),
  PACKAGE_NOT_FOUND: entry(EXIT.command, { host, packages: 'conntrak', manager: 'apt' }, (p) => ({
    title: `Packages are missing in the repositories of ${p.host}`,
    message: `${p.manager} knows no package ${p.packages}, also after it asked its repositories again.`,
    hint: `Look at the repositories of ${p.host}: ${p.manager === 'apt' ? 'apt-cache policy' : `${p.manager} repolist`}`,
  })),
  PACKAGE_REPOSITORY_UNREACHABLE: entry(
    EXIT.command,
    {
      host,
      manager: 'apt',
      output: "Err:1 http://deb.debian.org bookworm InRelease\n  Could not resolve 'deb.debian.org'",
    },
    (p) => ({
      title: `${p.host} cannot reach its package repositories`,
      message: `${p.manager} asked them and got no answer it could use.\n${lastLines(p.output, 5)}`.trimEnd(),
      hint: `kubexm run command --nodes ${p.host} -- 'cat /etc/resolv.conf; env | grep -i proxy'; mend its name server, proxy or mirrors, then run the same command again.`,
    }),
  ),
  DATA_DIR_IN_USE: entry(
    EXIT.refused,
    { host, runtime: 'containerd', root: '/var/lib/containerd', wanted: '/data/containerd' },
    (p) => ({
      title: `${p.runtime} on ${p.host} has containers in ${p.root}`,
      message: `The file says ${p.wanted} now. There it would know none of them, and they would run on.`,
      hint: `Name ${p.root} in kubernetes.containerRuntime.dataDir again, then: kubexm create cluster -f FILE`,
    }),
  ),
  DOCKER_MISSING: entry(EXIT.command, { host, what: 'harbor' }, (p) => ({
    title: `${p.host} has no docker that runs`,
    message: `${p.what} consists of containers of docker, and \`docker info\` gets no answer there.`,
    hint: `Install docker 20.10.10 or newer on ${p.host} and start it: systemctl enable --now docker; then run the same command again.`,
  })),
  SERVICE_FAILED: entry(
    EXIT.command,
    {
      host,
      unit: 'etcd.service',
      what: 'did not start',
      state: 'activating (auto-restart)',
      journal: 'etcd[812]: listen tcp 10.0.0.3:2380: bind: address already in use',
    },
    (p) => ({
      title: `${p.unit} ${p.what} on ${p.host}`,
      message: `It is ${p.state}. The last it said:\n${lastLines(p.journal, 12)}`.trimEnd(),
      hint: `On ${p.host}: systemctl status ${p.unit}; journalctl -u ${p.unit} -n 50`,
    }),
  ),
  SERVICE_MANAGER_MISSING: entry(EXIT.command, { host, init: 'openrc-init' }, (p) => ({
    title: `${p.host} does not run systemd`,
    message: `Process 1 of it is ${p.init}, and kubexm looks after services with systemd only.`,
    hint: 'Use a system that boots with systemd on this host.',
  })),
  WAIT_ENDED: entry(
    EXIT.command,
    { host, summary: 'the API answers', seconds: 60, command: 'curl -sf https://10.0.0.3:6443/readyz', output: '' },
    (p) => ({
      title: `Waited in vain on ${p.host} for this: ${p.summary}`,
      message: `\`${p.command}\` was asked for ${p.seconds} s and never said yes.\n${lastLines(p.output, 5)}`.trimEnd(),
      hint: `Ask by hand on ${p.host}: ${p.command}`,
    }),
  ),
  HOST_CUT_OFF: entry(
    EXIT.command,
    { host, part: 'write /etc/resolv.conf', seconds: 60, reason: 'no answer in 20 s' },
    (p) => ({
      title: `${p.host} lets no new connection in any more`,
      message: `After "${p.part}" it could not be reached anew: ${p.reason}. A timer on ${p.host} puts back what was there before within ${p.seconds} s.`,
      hint: `Wait a minute, mend spec.system.firewall or spec.extra.resolves, see that it answers (kubexm run command --nodes ${p.host} -- true), and run the same command again.`,
    }),
  ),
  KEPT_COPY_MISSING: entry(EXIT.command, { host, path: '/etc/etcd/etcd.yaml' }, (p) => ({
    title: `${p.path} cannot be put back on ${p.host}`,
    message: `The copy of what was there before is gone, so ${p.path} was left as it is now.`,
    hint: `Look at ${p.path} on ${p.host}, and put it back from a backup.`,
  })),
};

const lastLines = (text: string, count: number) => text.trimEnd().split('\n').slice(-count).join('\n');
