import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors from SSH connections, sudo, remote commands and file transfers. */
export const connectionErrors = {
  HOST_UNREACHABLE: entry(
    EXIT.connection,
    { host: 'node2', address: '172.16.0.3:22', seconds: 30, reason: 'connect ECONNREFUSED 172.16.0.3:22' },
    (p) => ({
      title: `${p.host} is unreachable`,
      message: `Could not connect to ${p.address} over SSH within ${p.seconds} s. Last error: ${p.reason}`,
      hint: `ssh -v -p ${portOf(p.address)} ${addressOf(p.address)} true`,
    }),
  ),
  AUTH_FAILED: entry(
    EXIT.connection,
    { host: 'node2', address: '172.16.0.3:22', user: 'ubuntu', tried: 'private key ~/.ssh/id_rsa, agent', note: '' },
    (p) => ({
      title: `Could not log in to ${p.host} as ${p.user}`,
      message: `${p.host} (${p.address}) rejected all credentials. Tried each of these once: ${p.tried}.${p.note && ` ${p.note}`}`,
      hint: `ssh -v -p ${portOf(p.address)} ${p.user}@${addressOf(p.address)} true`,
    }),
  ),
  KEY_UNREADABLE: entry(
    EXIT.config,
    { host: 'node2', key: '/home/me/.ssh/id_rsa', reason: 'ENOENT: no such file or directory' },
    (p) => ({
      title: `Could not read the private key for ${p.host}`,
      message: `${p.key}: ${p.reason}`,
      hint: `ssh-keygen -y -f ${p.key}`,
    }),
  ),
  KEY_NEEDS_PASSPHRASE: entry(EXIT.config, { host: 'node2', key: '/home/me/.ssh/id_rsa', given: 'none' }, (p) => ({
    title: `The private key for ${p.host} is encrypted`,
    message:
      p.given === 'none'
        ? `${p.key} is encrypted and no passphrase is configured.`
        : `${p.key} is encrypted and the configured passphrase is wrong.`,
    hint: `Set passphrase for the host ${p.host}, or add the key to the SSH agent: ssh-add ${p.key}`,
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
      title: `The host key of ${p.host} has changed`,
      message:
        `${p.host} (${p.address}) sent   ${p.offered}\n` +
        `${p.source} has   ${p.known}\n` +
        'Either the machine was reinstalled, or someone is intercepting the connection. No commands or credentials were sent.',
      hint: `If the machine was reinstalled: ${p.remedy}`,
    }),
  ),
  HOST_KEY_UNKNOWN: entry(
    EXIT.connection,
    {
      host: 'node2',
      address: '172.16.0.3:22',
      fingerprint: 'SHA256:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg',
      remedy: "echo '172.16.0.3 ssh-ed25519 AAAA…' >> .kubexm/prod/known_hosts",
    },
    (p) => ({
      title: `The host key of ${p.host} is unknown`,
      message:
        `${p.host} (${p.address}) sent   ${p.fingerprint}\n` +
        'Neither hostKey nor a known_hosts file contains a key for this host, and hostKeys is strict. No commands or credentials were sent.',
      hint: `Compare the fingerprint on the console of ${p.host}: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub. If it matches: ${p.remedy}`,
    }),
  ),
  HOST_KEY_REVOKED: entry(
    EXIT.connection,
    {
      host: 'node2',
      address: '172.16.0.3:22',
      offered: 'SHA256:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg',
      source: '/home/me/.ssh/known_hosts:7',
    },
    (p) => ({
      title: `The host key of ${p.host} is revoked`,
      message: `${p.host} (${p.address}) sent   ${p.offered}\n${p.source} revokes this key. No commands or credentials were sent.`,
      hint: `On the console of ${p.host}: rm /etc/ssh/ssh_host_*_key*; ssh-keygen -A; systemctl restart ssh`,
    }),
  ),
  KNOWN_HOSTS_UNUSABLE: entry(
    EXIT.config,
    { path: '.kubexm/prod/known_hosts', reason: 'EACCES: permission denied' },
    (p) => ({
      title: 'Could not read or write the known_hosts file',
      message: `${p.path}: ${p.reason}`,
      hint: `ls -l ${p.path}`,
    }),
  ),
  SUDO_PASSWORD_WRONG: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `sudo on ${p.host} rejected the password`,
    message: `sudo rejected the configured password of ${p.user}. It was tried once.`,
    hint: `Correct sudoPassword for the host ${p.host}. Test it: ssh -t ${p.user}@${p.host} sudo -k true`,
  })),
  SUDO_PASSWORD_MISSING: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `sudo on ${p.host} requires a password`,
    message: `sudo asked ${p.user} for a password, but none is configured.`,
    hint: `Set sudoPassword for the host ${p.host}, or run on ${p.host}: echo '${p.user} ALL=(ALL) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/${p.user}`,
  })),
  SUDO_NOT_ALLOWED: entry(
    EXIT.connection,
    { host: 'node2', user: 'ubuntu', reason: 'ubuntu is not in the sudoers file.' },
    (p) => ({
      title: `${p.user} is not allowed to use sudo on ${p.host}`,
      message: `sudo printed: ${p.reason}`,
      hint: `As root on ${p.host}: echo '${p.user} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/${p.user}`,
    }),
  ),
  SUDO_NEEDS_TTY: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `sudo on ${p.host} requires a terminal`,
    message: 'The sudoers file on the host contains "Defaults requiretty", so sudo works only in a terminal.',
    hint: `As root on ${p.host}: echo 'Defaults:${p.user} !requiretty' > /etc/sudoers.d/${p.user}-tty`,
  })),
  SUDO_MISSING: entry(EXIT.connection, { host: 'node2', user: 'ubuntu' }, (p) => ({
    title: `sudo is not installed on ${p.host}`,
    message: `${p.user} is not root on ${p.host} and needs sudo.`,
    hint: `As root on ${p.host}: apt-get install sudo || dnf install sudo`,
  })),
  SHELL_UNUSABLE: entry(
    EXIT.connection,
    { host: 'node2', user: 'ubuntu', reason: 'This account is disabled.' },
    (p) => ({
      title: `${p.user} can log in to ${p.host} but cannot run commands`,
      message: `The login shell did not start /bin/sh. It printed: ${p.reason}`,
      hint: `On ${p.host}: getent passwd ${p.user}`,
    }),
  ),
  CONNECTION_LOST: entry(
    EXIT.connection,
    { host: 'node2', doing: 'a command', reason: 'Keepalive timeout' },
    (p: { host: string; doing: string; reason: string }) => ({
      title: `The connection to ${p.host} was lost`,
      message: `The connection was lost during ${p.doing}: ${p.reason}`,
      hint: 'Repeat the command: completed steps are not repeated.',
    }),
  ),
  COMMAND_LOST: entry(
    EXIT.command,
    { host: 'node2', reason: 'the host rebooted' },
    (p: { host: string; reason: string }) => ({
      title: `The result of a command on ${p.host} is unknown`,
      message: `The exit code of the command was lost: ${p.reason}. The command was not retried.`,
      hint: 'Repeat the command: completed steps are checked first and not repeated.',
    }),
  ),
  OUTPUT_TOO_LARGE: entry(EXIT.command, { host: 'node2', megabytes: 128 }, (p) => ({
    title: `The output of a check on ${p.host} is too large`,
    message: `The output of a check exceeded ${p.megabytes} MiB and was discarded. The check changed nothing.`,
    hint: `Look for replaced programs on ${p.host} that print endless output, then repeat the command.`,
  })),
  TUNNEL_FORBIDDEN: entry(EXIT.connection, { host: 'node1' }, (p) => ({
    title: `${p.host} does not allow TCP forwarding`,
    message: `sshd on ${p.host} refused to forward a connection because of AllowTcpForwarding, PermitOpen or DisableForwarding.`,
    hint: `On ${p.host}: sshd -T | grep -iE 'forwarding|permitopen'`,
  })),
  TUNNEL_REFUSED: entry(
    EXIT.connection,
    { host: 'node1', port: 6443, reason: '(SSH) Channel open failure: Connection refused' },
    (p: { host: string; port: number; reason: string }) => ({
      title: `Nothing accepts connections on port ${p.port} of ${p.host}`,
      message: `Could not connect to 127.0.0.1:${p.port} on ${p.host}: ${p.reason}`,
      hint: `On ${p.host}: ss -ltnp 'sport = :${p.port}'`,
    }),
  ),
  UPLOAD_MISMATCH: entry(
    EXIT.command,
    { host: 'node2', path: '/usr/local/bin/etcd', wanted: '9f86d0…', got: '60303a…' },
    (p) => ({
      title: `A file was corrupted during the upload to ${p.host}`,
      message: `${p.path}: checksum mismatch, expected ${p.wanted}, got ${p.got}. The upload was deleted; an existing file was not changed.`,
      hint: 'Repeat the command. If it fails again, check the source file, then the memory and disk of the host.',
    }),
  ),
  UPLOAD_FAILED: entry(
    EXIT.command,
    { host: 'node2', path: '/etc/etcd/etcd.yaml', reason: 'No such file or directory' },
    (p: { host: string; path: string; reason: string }) => ({
      title: `Could not write a file on ${p.host}`,
      message: `${p.path}: ${p.reason}`,
      hint: `On ${p.host}: ls -ld ${folderOf(p.path)} ${p.path}`,
    }),
  ),
  DOWNLOAD_FAILED: entry(
    EXIT.command,
    { host: 'node2', path: '/etc/kubernetes/admin.conf', reason: 'No such file or directory' },
    (p: { host: string; path: string; reason: string }) => ({
      title: `Could not read a file on ${p.host}`,
      message: `${p.path}: ${p.reason}`,
      hint: `On ${p.host}: ls -ld ${folderOf(p.path)} ${p.path}`,
    }),
  ),
  DISK_FULL: entry(EXIT.command, { host: 'node2', path: '/usr/local/bin/etcd', size: 120_000_000 }, (p) => ({
    title: `No space left on ${p.host}`,
    message: `There is not enough disk space for ${p.path} (${Math.ceil(p.size / 1e6)} MB). The partial file was deleted.`,
    hint: `On ${p.host}: df -h ${folderOf(p.path)}; df -i ${folderOf(p.path)}`,
  })),
};

const portOf = (address: string) => address.slice(address.lastIndexOf(':') + 1);
const addressOf = (address: string) => address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
const folderOf = (path: string) => path.replace(/\/[^/]*$/, '') || '/';
