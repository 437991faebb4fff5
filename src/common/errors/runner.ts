import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const host = 'node2';

/** Errors while managing a host: files, packages, services and wait conditions. */
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
      title: `No space left on ${p.host}`,
      message:
        `There is not enough disk space for this operation: ${p.what}.${p.disk && `\nDisk: ${p.disk}`}\n${lastLines(p.output, 3)}`.trimEnd(),
      hint: `Find what uses the space. On ${p.host}: df -h; df -i; du -xh --max-depth=2 ${/^\/[^,]*/.exec(p.disk)?.[0] ?? '/'} | sort -h | tail`,
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
      title: `A file system on ${p.host} is read-only`,
      message: `This operation failed: ${p.what}.\n${lastLines(p.output, 3)}`.trimEnd(),
      hint: `The kernel remounts a file system read-only after disk errors. On ${p.host}: dmesg | tail -n 30; grep ' ro[ ,]' /proc/mounts`,
    }),
  ),
  FACTS_UNREADABLE: entry(EXIT.connection, { host, reason: 'unsupported architecture riscv64' }, (p) => ({
    title: `Could not gather facts about ${p.host}`,
    message: `The host is not supported or its response was invalid: ${p.reason}.`,
    hint: 'kubexm requires Linux on amd64 or arm64, with /bin/sh, coreutils and /proc.',
  })),
  PACKAGE_MANAGER_MISSING: entry(EXIT.command, { host, os: 'Alpine Linux v3.20' }, (p) => ({
    title: `${p.host} has no supported package manager`,
    message: `Neither apt-get, dnf nor yum is installed (${p.os}).`,
    hint: 'Install a distribution based on Debian or RHEL on this host.',
  })),
  PACKAGE_LOCKED: entry(EXIT.command, { host, holder: 'unattended-upgr (pid 812)', minutes: 10 }, (p) => ({
    title: `The package manager on ${p.host} is locked`,
    message: `${p.holder} still holds the lock after ${p.minutes} minutes.`,
    hint: `Wait until it exits, or check what it is doing. On ${p.host}: ps -ef --forest; then repeat the command.`,
  })),
  PACKAGE_NOT_FOUND: entry(EXIT.command, { host, packages: 'conntrak', manager: 'apt' }, (p) => ({
    title: `Packages not found on ${p.host}`,
    message: `${p.manager} could not find ${p.packages} in the configured repositories, even after updating the package lists.`,
    hint: `Check the repositories on ${p.host}: ${p.manager === 'apt' ? 'apt-cache policy' : `${p.manager} repolist`}`,
  })),
  PACKAGE_REPOSITORY_UNREACHABLE: entry(
    EXIT.command,
    {
      host,
      manager: 'apt',
      output: "Err:1 http://deb.debian.org bookworm InRelease\n  Could not resolve 'deb.debian.org'",
    },
    (p) => ({
      title: `${p.host} cannot reach the package repositories`,
      message: `${p.manager} failed:\n${lastLines(p.output, 5)}`.trimEnd(),
      hint: `kubexm run command --nodes ${p.host} -- 'cat /etc/resolv.conf; env | grep -i proxy'; fix the name server, proxy or mirrors of the host, then repeat the command.`,
    }),
  ),
  DATA_DIR_IN_USE: entry(
    EXIT.refused,
    { host, runtime: 'containerd', root: '/var/lib/containerd', wanted: '/data/containerd' },
    (p) => ({
      title: `${p.runtime} on ${p.host} has containers in ${p.root}`,
      message: `The cluster file now sets ${p.wanted}. With this data directory, ${p.runtime} could no longer manage the running containers.`,
      hint: `Set kubernetes.containerRuntime.dataDir to ${p.root} again, then: kubexm create cluster -f FILE`,
    }),
  ),
  DOCKER_MISSING: entry(EXIT.command, { host, what: 'harbor' }, (p) => ({
    title: `Docker is not running on ${p.host}`,
    message: `${p.what} runs in Docker containers, but \`docker info\` failed.`,
    hint: `Install Docker 20.10.10 or newer on ${p.host} and start it: systemctl enable --now docker; then repeat the command.`,
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
      message: `Its state is ${p.state}. Last log lines:\n${lastLines(p.journal, 12)}`.trimEnd(),
      hint: `On ${p.host}: systemctl status ${p.unit}; journalctl -u ${p.unit} -n 50`,
    }),
  ),
  SERVICE_MANAGER_MISSING: entry(EXIT.command, { host, init: 'openrc-init' }, (p) => ({
    title: `${p.host} does not run systemd`,
    message: `PID 1 is ${p.init}, but kubexm requires systemd to manage services.`,
    hint: 'Install a distribution with systemd on this host.',
  })),
  WAIT_ENDED: entry(
    EXIT.command,
    {
      host,
      summary: 'the API server responds',
      seconds: 60,
      command: 'curl -sf https://10.0.0.3:6443/readyz',
      output: '',
    },
    (p) => ({
      title: `Timed out on ${p.host} waiting until ${p.summary}`,
      message: `\`${p.command}\` did not succeed within ${p.seconds} s.\n${lastLines(p.output, 5)}`.trimEnd(),
      hint: `Run it manually on ${p.host}: ${p.command}`,
    }),
  ),
  HOST_CUT_OFF: entry(
    EXIT.command,
    { host, part: 'write /etc/resolv.conf', seconds: 60, reason: 'no response within 20 s' },
    (p) => ({
      title: `${p.host} no longer accepts new SSH connections`,
      message: `A new connection after "${p.part}" failed: ${p.reason}. A timer on ${p.host} restores the previous state within ${p.seconds} s.`,
      hint: `Wait a minute, fix spec.system.firewall or spec.extra.resolves, check that the host is reachable (kubexm run command --nodes ${p.host} -- true), and repeat the command.`,
    }),
  ),
  KEPT_COPY_MISSING: entry(EXIT.command, { host, path: '/etc/etcd/etcd.yaml' }, (p) => ({
    title: `Could not restore ${p.path} on ${p.host}`,
    message: `The backup of its original content is missing, so ${p.path} was not changed.`,
    hint: `Check ${p.path} on ${p.host} and restore it from a backup.`,
  })),
};

const lastLines = (text: string, count: number) => text.trimEnd().split('\n').slice(-count).join('\n');
