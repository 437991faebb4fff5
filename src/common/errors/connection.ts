import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of reaching a host, and of what was running there when it went away. */
export const connectionErrors = {
  HOST_UNREACHABLE: entry(
    EXIT.connection,
    { host: 'node2', address: '172.16.0.3:22', seconds: 30, reason: 'connect ECONNREFUSED 172.16.0.3:22' },
    (p) => ({
      title: `${p.host} cannot be reached`,
      message: `No SSH connection to ${p.address} came about in ${p.seconds} s. Last answer: ${p.reason}`,
      hint: `ssh -v -p ${portOf(p.address)} ${addressOf(p.address)} true`,
    }),
  ),
  AUTH_FAILED: entry(
    EXIT.connection,
    { host: 'node2', address: '172.16.0.3:22', user: 'ubuntu', tried: 'private key ~/.ssh/id_rsa, agent' },
    (p) => ({
      title: `${p.host} does not let ${p.user} in`,
      message: `${p.host} (${p.address}) refused every credential. Tried, each once: ${p.tried}.`,
      hint: `ssh -v -p ${portOf(p.address)} ${p.user}@${addressOf(p.address)} true`,
    }),
  ),
  KEY_UNREADABLE: entry(
    EXIT.config,
    { host: 'node2', key: '/home/me/.ssh/id_rsa', reason: 'ENOENT: no such file or directory' },
    (p) => ({
      title: `The private key for ${p.host} cannot be read`,
      message: `${p.key}: ${p.reason}`,
      hint: `ssh-keygen -y -f ${p.key}`,
    }),
  ),
  KEY_NEEDS_PASSPHRASE: entry(EXIT.config, { host: 'node2', key: '/home/me/.ssh/id_rsa', given: 'none' }, (p) => ({
    title: `The private key for ${p.host} is encrypted`,
    message:
      p.given === 'none'
        ? `${p.key} is encrypted, and no passphrase is given.`
        : `${p.key} is encrypted, and the passphrase that is given does not open it.`,
    hint: `Give passphrase for the host ${p.host}, or take the key into the agent: ssh-add ${p.key}`,
  })),
  HOST_KEY_CHANGED: entry(
    EXIT.connection,
    {
      host: 'node2',
      address: '172.16.0.3:22',
      known: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU',
      offered: 'SHA256:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg',
      source: '.kubexm/prod/known_hosts:3',
      remedy: "ssh-keygen -R '172.16.0.3' -f .kubexm/prod/known_hosts",
    },
    (p) => ({
      title: `The host key of ${p.host} is another one than before`,
      message:
        `${p.host} (${p.address}) shows   ${p.offered}\n` +
        `known from ${p.source}   ${p.known}\n` +
        'Either the machine was made anew, or somebody stands between it and you. Nothing was sent to it.',
      hint: `If the machine was made anew: ${p.remedy}`,
    }),
  ),
  KNOWN_HOSTS_UNUSABLE: entry(
    EXIT.config,
    { path: '.kubexm/prod/known_hosts', reason: 'EACCES: permission denied' },
    (p) => ({
      title: 'The file of known host keys cannot be used',
      message: `${p.path}: ${p.reason}`,
      hint: `ls -l ${p.path}`,
    }),
  ),
  SUDO_PASSWORD_WRONG: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `sudo on ${p.host} refuses the password`,
    message: `sudo asked ${p.user} for a password and refused the one that is given. It was tried once.`,
    hint: `Mend sudoPassword of the host ${p.host}. Look by hand: ssh -t ${p.user}@${p.host} sudo -k true`,
  })),
  SUDO_PASSWORD_MISSING: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `sudo on ${p.host} asks for a password`,
    message: `sudo asks ${p.user} for a password, and none is given.`,
    hint: `Give sudoPassword for the host ${p.host}, or on it: echo '${p.user} ALL=(ALL) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/${p.user}`,
  })),
  SUDO_NOT_ALLOWED: entry(
    EXIT.connection,
    { host: 'node2', user: 'ubuntu', reason: 'ubuntu is not in the sudoers file.' },
    (p) => ({
      title: `${p.user} may not become root on ${p.host}`,
      message: `sudo said: ${p.reason}`,
      hint: `As root on ${p.host}: echo '${p.user} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/${p.user}`,
    }),
  ),
  SUDO_NEEDS_TTY: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `sudo on ${p.host} wants a terminal`,
    message: 'The sudoers file of the host has "Defaults requiretty", so programs cannot use sudo.',
    hint: `As root on ${p.host}: echo 'Defaults:${p.user} !requiretty' > /etc/sudoers.d/${p.user}-tty`,
  })),
  SUDO_MISSING: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `${p.host} has no sudo`,
    message: `${p.user} is not root on ${p.host}, and there is no sudo to become root with.`,
    hint: `As root on ${p.host}: apt-get install sudo || dnf install sudo`,
  })),
  SHELL_UNUSABLE: entry(
    EXIT.connection,
    { host: 'node2', user: 'ubuntu', reason: 'This account is disabled.' },
    (p) => ({
      title: `${p.user} can log in to ${p.host}, but not run commands`,
      message: `The login shell did not start /bin/sh. It said: ${p.reason}`,
      hint: `On ${p.host}: getent passwd ${p.user}`,
    }),
  ),
  CONNECTION_LOST: entry(
    EXIT.connection,
    { host: 'node2', doing: 'a command', reason: 'Keepalive timeout' },
    (p: { host: string; doing: string; reason: string }) => ({
      title: `The connection to ${p.host} was lost`,
      message: `The connection went away during ${p.doing}: ${p.reason}`,
      hint: 'Run the same command again: it goes on from what is there.',
    }),
  ),
  COMMAND_LOST: entry(
    EXIT.command,
    { host: 'node2', reason: 'the host was rebooted in between' },
    (p: { host: string; reason: string }) => ({
      title: `A command on ${p.host} ended unseen`,
      message: `How the command ended cannot be known, because ${p.reason}. It is not run a second time by itself.`,
      hint: 'Run the same command again: what is already done is looked at first.',
    }),
  ),
  UPLOAD_MISMATCH: entry(
    EXIT.command,
    { host: 'node2', path: '/usr/local/bin/etcd', wanted: '9f86d0…', got: '60303a…' },
    (p) => ({
      title: `What arrived at ${p.host} is not what was sent`,
      message: `${p.path}: the sum there is ${p.got}, wanted is ${p.wanted}. The file was removed again; the old one is untouched.`,
      hint: 'Run the same command again. If it happens twice, look at the source file, then at memory and disk of the host.',
    }),
  ),
  UPLOAD_FAILED: entry(
    EXIT.command,
    { host: 'node2', path: '/etc/etcd/etcd.yaml', reason: 'No such file or directory' },
    (p: { host: string; path: string; reason: string }) => ({
      title: `A file cannot be written on ${p.host}`,
      message: `${p.path}: ${p.reason}`,
      hint: `On ${p.host}: ls -ld ${folderOf(p.path)} ${p.path}`,
    }),
  ),
  DOWNLOAD_FAILED: entry(
    EXIT.command,
    { host: 'node2', path: '/etc/kubernetes/admin.conf', reason: 'No such file or directory' },
    (p: { host: string; path: string; reason: string }) => ({
      title: `A file of ${p.host} cannot be read`,
      message: `${p.path}: ${p.reason}`,
      hint: `On ${p.host}: ls -ld ${folderOf(p.path)} ${p.path}`,
    }),
  ),
  DISK_FULL: entry(EXIT.command, { host: 'node2', path: '/usr/local/bin/etcd', size: 120_000_000 }, (p) => ({
    title: `The disk of ${p.host} is full`,
    message: `${p.path} (${Math.ceil(p.size / 1e6)} MB) does not fit. What was written of it was removed again.`,
    hint: `On ${p.host}: df -h ${folderOf(p.path)}; df -i ${folderOf(p.path)}`,
  })),
};

const portOf = (address: string) => address.slice(address.lastIndexOf(':') + 1);
const addressOf = (address: string) => address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
const folderOf = (path: string) => path.replace(/\/[^/]*$/, '') || '/';
